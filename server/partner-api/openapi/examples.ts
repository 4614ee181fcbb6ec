import type { PartnerCallName } from "#contract/calls.ts";
import {
  EXAMPLE_AT,
  EXAMPLE_COMPLETED,
  EXAMPLE_DESTINATION,
  EXAMPLE_ETH,
  EXAMPLE_ORDER,
  EXAMPLE_RATE,
  EXAMPLE_USDT,
} from "./example-order.ts";

/** `query`, `body` and `answer` as they go over the wire; a test parses each by its schema. */
export type PartnerExample = { query?: Readonly<Record<string, string>>; body?: unknown; answer?: unknown };

const WEBHOOK = {
  id: "f96c5fcd-3ae4-4c63-902a-354b497ccfb7",
  url: "https://shop.example/wherry",
  createdAt: EXAMPLE_AT,
};

/** What waits for its customer's choice. */
const ASKED_BACK = {
  ...EXAMPLE_ORDER,
  status: "REFUND_REQUESTED",
  state: "PROCESSING",
  refundAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};

/** Examples of the partner API's document: every call has one of its answer. */
export const PARTNER_EXAMPLES: Readonly<Record<PartnerCallName, PartnerExample & { answer: unknown }>> = {
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
  partnerOrder: { answer: EXAMPLE_COMPLETED },
  partnerRefund: { body: { refundAddress: ASKED_BACK.refundAddress }, answer: ASKED_BACK },
  partnerAccept: { body: {}, answer: { ...EXAMPLE_ORDER, status: "RATE_MODE_CHANGE_ACCEPTED", state: "PROCESSING" } },
  partnerCreateWebhook: {
    body: { url: WEBHOOK.url },
    answer: { ...WEBHOOK, secret: "whs_264YuOyv5vBaisMQ2zoVwTzdn9KPb0xgGB2oClc5IFU" },
  },
  partnerWebhooks: { answer: [WEBHOOK] },
  partnerDeleteWebhook: { answer: {} },
  partnerDeliveries: {
    answer: {
      items: [
        {
          id: "46042e66-734c-4130-9f27-2e82ec16c004",
          type: "order.updated",
          orderId: EXAMPLE_ORDER.orderId,
          state: "PENDING",
          attempts: 3,
          createdAt: EXAMPLE_AT,
          lastAttemptAt: "2026-11-21T12:05:00.000Z",
          lastStatus: 500,
          lastError: "answered 500",
          nextAttemptAt: "2026-11-21T12:20:00.000Z",
          deliveredAt: null,
        },
      ],
      nextCursor: null,
    },
  },
  partnerTestWebhook: { answer: {} },
  partnerRedeliver: { answer: {} },
  partnerBalances: { answer: [{ currencyTitle: "USDT", networkTitle: "TRX", balance: "12.61", held: "25" }] },
};
