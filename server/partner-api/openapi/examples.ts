import type { PartnerCallName } from "#contract/calls.ts";
import type { ExamplesOf } from "../../http/openapi/examples/example.ts";
import { DELIVERY, WEBHOOK, WEBHOOK_SECRET } from "../../http/openapi/examples/programs.ts";
import {
  EXAMPLE_ACCEPTED,
  EXAMPLE_AT,
  EXAMPLE_COMPLETED,
  EXAMPLE_DESTINATION,
  EXAMPLE_ETH,
  EXAMPLE_ORDER,
  EXAMPLE_RATE,
  EXAMPLE_REFUND_REQUESTED,
  EXAMPLE_USDT,
} from "./example-order.ts";

const params = { orderId: EXAMPLE_ORDER.orderId };
const webhookParams = { webhookId: WEBHOOK.id };

/** One exchange of every signed call; the type leaves out none. */
export const PARTNER_EXAMPLES: ExamplesOf<PartnerCallName> = {
  partnerInstruments: { answer: [EXAMPLE_ETH, EXAMPLE_USDT] },
  partnerPairs: { answer: [{ from: "eth", to: ["usdt-erc20", "usdc-erc20"] }] },
  partnerRate: {
    query: {
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      claimedDepositAmount: "0.5",
      rateMode: "FLOATING",
      markupBps: "50",
    },
    answer: EXAMPLE_RATE,
  },
  partnerCreateOrder: {
    body: {
      rateMode: "FLOATING",
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      destinationAddress: EXAMPLE_DESTINATION,
      claimedDepositAmount: "0.5",
      claimedPublicRate: { price: "3095.485822", updatedAt: EXAMPLE_AT, claimedAmountToReceive: "1547.742911" },
      markupBps: 50,
      externalId: "cart-7",
    },
    answer: EXAMPLE_ORDER,
  },
  partnerOrders: {
    query: { from: "2026-11-01T00:00:00.000Z", state: "COMPLETED", limit: "100" },
    answer: { items: [EXAMPLE_COMPLETED], nextCursor: null },
  },
  partnerOrder: { params, answer: EXAMPLE_COMPLETED },
  partnerRefund: {
    params,
    body: { refundAddress: EXAMPLE_REFUND_REQUESTED.refundAddress },
    answer: EXAMPLE_REFUND_REQUESTED,
  },
  partnerAccept: { params, body: {}, answer: EXAMPLE_ACCEPTED },
  partnerCreateWebhook: {
    body: { url: WEBHOOK.url },
    answer: { ...WEBHOOK, secret: WEBHOOK_SECRET },
  },
  partnerWebhooks: { answer: [WEBHOOK] },
  partnerDeleteWebhook: { params: webhookParams, answer: {} },
  partnerDeliveries: {
    params: webhookParams,
    query: { limit: "20" },
    answer: { items: [DELIVERY], nextCursor: null },
  },
  partnerTestWebhook: { params: webhookParams, answer: {} },
  partnerRedeliver: { params: { ...webhookParams, deliveryId: DELIVERY.id }, answer: {} },
  partnerBalances: { answer: [{ currencyTitle: "USDT", networkTitle: "TRX", balance: "12.61", held: "25" }] },
};
