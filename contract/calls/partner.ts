import { walletBalancesSchema } from "../earnings.ts";
import { pairListSchema } from "../instrument.ts";
import {
  partnerAcceptBodySchema,
  partnerCreateOrderBodySchema,
  partnerInstrumentsSchema,
  partnerOrderParamsSchema,
  partnerOrderSchema,
  partnerOrdersQuerySchema,
  partnerOrdersSchema,
  partnerRateQuerySchema,
  partnerRateSchema,
  partnerRefundBodySchema,
} from "../partner.ts";
import type { Call } from "./call.ts";

/** The partner API: calls that an account's own programs sign with an API key (contract §13). */
export const partnerCalls = {
  partnerInstruments: {
    method: "GET",
    path: "/api/v2/partner/instruments",
    summary: "The instruments that can be exchanged, with their chains and assets by CAIP-2 and CAIP-19",
    timeoutMs: 15_000,
    answer: partnerInstrumentsSchema,
  },
  partnerPairs: {
    method: "GET",
    path: "/api/v2/partner/pairs",
    summary: "Which instruments each instrument can be exchanged to",
    timeoutMs: 15_000,
    answer: pairListSchema,
  },
  partnerRate: {
    method: "GET",
    path: "/api/v2/partner/rates",
    summary: "A rate in either direction, a markup included; a refusal names all its reasons in data.reasons",
    timeoutMs: 15_000,
    query: partnerRateQuerySchema,
    answer: partnerRateSchema,
  },
  partnerCreateOrder: {
    method: "POST",
    path: "/api/v2/partner/orders",
    summary: "Creates an order for a customer; the Idempotency-Key is obligatory",
    timeoutMs: 200_000,
    body: partnerCreateOrderBodySchema,
    answer: partnerOrderSchema,
    successStatus: 201,
    idempotent: true,
  },
  partnerOrders: {
    method: "GET",
    path: "/api/v2/partner/orders",
    summary: "The orders that the account's programs made, the newest first, with a stable cursor",
    timeoutMs: 15_000,
    query: partnerOrdersQuerySchema,
    answer: partnerOrdersSchema,
  },
  partnerOrder: {
    method: "GET",
    path: "/api/v2/partner/orders/:orderId",
    summary: "One of the orders that the account's programs made",
    timeoutMs: 15_000,
    params: partnerOrderParamsSchema,
    answer: partnerOrderSchema,
  },
  partnerRefund: {
    method: "POST",
    path: "/api/v2/partner/orders/:orderId/refund",
    summary: "Asks for a deposit back",
    timeoutMs: 10_000,
    params: partnerOrderParamsSchema,
    body: partnerRefundBodySchema,
    answer: partnerOrderSchema,
    idempotent: true,
  },
  partnerAccept: {
    method: "POST",
    path: "/api/v2/partner/orders/:orderId/accept",
    summary: "Takes the floating rate that was offered when a fixed rate ended",
    timeoutMs: 10_000,
    params: partnerOrderParamsSchema,
    body: partnerAcceptBodySchema,
    answer: partnerOrderSchema,
    idempotent: true,
  },
  partnerBalances: {
    method: "GET",
    path: "/api/v2/partner/balances",
    summary: "What the account has earned, its markups included",
    timeoutMs: 15_000,
    answer: walletBalancesSchema,
  },
} as const satisfies Record<string, Call>;
