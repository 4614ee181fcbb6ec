import * as z from "zod/mini";
import {
  acceptRateModeChangeBodySchema,
  createOrderBodySchema,
  latestOrderSchema,
  orderSchema,
  publicInfoQuerySchema,
  refundInfoSchema,
  requestRefundBodySchema,
  setEmailAnswerSchema,
  setEmailBodySchema,
} from "../order.ts";
import { pushAnswerSchema, pushKeySchema, pushSubscribeBodySchema, pushUnsubscribeBodySchema } from "../push.ts";
import type { Call } from "./call.ts";

/** Orders, and the push notifications about them. */
export const orderCalls = {
  latestOrders: {
    method: "GET",
    path: "/api/v1/orders/public/latest",
    summary: "The last 20 completed orders by rounded amounts and minutes, without ids or addresses",
    timeoutMs: 15_000,
    answer: z.array(latestOrderSchema),
  },
  orderInfo: {
    method: "GET",
    path: "/api/v1/orders/public-info",
    summary: "One order, opened by its id and its destination address",
    timeoutMs: 15_000,
    query: publicInfoQuerySchema,
    answer: orderSchema,
  },
  refundInfo: {
    method: "GET",
    path: "/api/v1/orders/order-refund-info",
    summary: "What a refund of an order would deliver",
    timeoutMs: 15_000,
    query: z.object({ orderId: z.string().check(z.maxLength(512)) }),
    answer: refundInfoSchema,
  },
  createOrder: {
    method: "POST",
    path: "/api/v1/orders/public/create",
    summary: "Creates an order and allocates its deposit address",
    timeoutMs: 200_000,
    body: createOrderBodySchema,
    answer: orderSchema,
    idempotent: true,
  },
  setEmail: {
    method: "POST",
    path: "/api/v1/orders/public/set-email",
    summary: "Sets an order's email, once",
    timeoutMs: 15_000,
    body: setEmailBodySchema,
    answer: setEmailAnswerSchema,
  },
  requestRefund: {
    method: "POST",
    path: "/api/v1/orders/public/request-refund",
    summary: "Asks for a deposit back",
    timeoutMs: 10_000,
    body: requestRefundBodySchema,
    answer: orderSchema,
    idempotent: true,
  },
  acceptRateModeChange: {
    method: "POST",
    path: "/api/v1/orders/public/accept-rate-mode-change",
    summary: "Takes the floating rate that was offered when a fixed rate ended",
    timeoutMs: 10_000,
    body: acceptRateModeChangeBodySchema,
    answer: orderSchema,
    idempotent: true,
  },
  pushKey: {
    method: "GET",
    path: "/api/v1/orders/public/push-key",
    summary: "The key that push subscriptions need, null while push is off",
    timeoutMs: 15_000,
    answer: pushKeySchema,
  },
  subscribePush: {
    method: "POST",
    path: "/api/v1/orders/public/push-subscribe",
    summary: "Subscribes a browser to an order's push notifications",
    timeoutMs: 15_000,
    body: pushSubscribeBodySchema,
    answer: pushAnswerSchema,
  },
  unsubscribePush: {
    method: "POST",
    path: "/api/v1/orders/public/push-unsubscribe",
    summary: "Unsubscribes a browser from an order's push notifications",
    timeoutMs: 15_000,
    body: pushUnsubscribeBodySchema,
    answer: pushAnswerSchema,
  },
} as const satisfies Record<string, Call>;
