import type { PartnerCallName } from "#contract/calls.ts";

/** `query`, `body` and `answer` as they go over the wire; a test parses each by its schema. */
export type PartnerExample = { query?: Readonly<Record<string, string>>; body?: unknown; answer?: unknown };

const AT = "2026-11-21T12:00:00.000Z";

/** Examples of the partner API's document. */
export const PARTNER_EXAMPLES: Partial<Record<PartnerCallName, PartnerExample>> = {
  partnerPairs: { answer: [{ from: "eth", to: ["usdt-erc20", "usdc-erc20"] }] },
  partnerRate: {
    query: {
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      claimedDepositAmount: "0.5",
      rateMode: "FLOATING",
      markupBps: "50",
    },
  },
  partnerCreateOrder: {
    body: {
      rateMode: "FLOATING",
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      destinationAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
      claimedDepositAmount: "0.5",
      claimedPublicRate: { price: "2969.7", updatedAt: AT, claimedAmountToReceive: "1484.85" },
      markupBps: 50,
      externalId: "cart-7",
    },
  },
  partnerOrders: {
    query: { from: "2026-11-01T00:00:00.000Z", state: "COMPLETED", limit: "100" },
    answer: { items: [], nextCursor: null },
  },
  partnerCreateWebhook: { body: { url: "https://shop.example/wherry" } },
  partnerRefund: { body: { refundAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" } },
  partnerAccept: { body: {} },
  partnerBalances: { answer: [{ currencyTitle: "USDT", networkTitle: "TRX", balance: "12.61", held: "25" }] },
};
