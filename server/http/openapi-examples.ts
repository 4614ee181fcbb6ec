import type { CallName } from "#contract/calls.ts";

/** `query`, `body` and `answer` as they go over the wire; a test parses each by its schema. */
export type Example = { query?: Readonly<Record<string, string>>; body?: unknown; answer?: unknown };

const ORDER_KEY = {
  orderId: "4fJ0m1rTq8ZbX2cVn6LsKw",
  destinationAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
};
const ETH = { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" };
const USDT = { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" };

/** Examples of the OpenAPI document. */
export const EXAMPLES: Partial<Record<CallName, Example>> = {
  orderInfo: { query: ORDER_KEY },
  refundInfo: { query: ORDER_KEY },
  createOrder: {
    body: {
      rateMode: "FLOATING",
      instrumentFrom: ETH,
      instrumentTo: USDT,
      destinationAddress: ORDER_KEY.destinationAddress,
      claimedDepositAmount: "0.5",
      claimedPublicRate: {
        price: "2984.7",
        updatedAt: "2026-11-21T12:00:00.000Z",
        claimedAmountToReceive: "1492.35",
      },
    },
  },
  setEmail: { body: { ...ORDER_KEY, userEmail: "customer@example.com" } },
  stopRefund: {
    body: { orderId: ORDER_KEY.orderId, token: "9mW2rCk4s0dZpVb7xQe1tYh6uJf3aLg8nRi5oKcE2vU" },
    answer: { orderId: ORDER_KEY.orderId, reference: "7KQ4-M2XD", isStopped: true },
  },
  recommendedAmount: {
    query: {
      instrumentFromCurrencyTitle: "ETH",
      instrumentFromNetworkTitle: "ETH",
      instrumentToCurrencyTitle: "USDT",
      instrumentToNetworkTitle: "ETH",
      rateMode: "FLOATING",
    },
    answer: { recommendedAmount: "0.1" },
  },
  rate: {
    query: {
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      claimedDepositAmount: "0.5",
      rateMode: "FLOATING",
    },
  },
  validateAddress: {
    body: { address: ORDER_KEY.destinationAddress, currencyTitle: "ETH", networkTitle: "ETH", getRejectReason: true },
    answer: { result: true, code: null },
  },
  health: { answer: { status: "OK" } },
  healthz: { answer: { status: "OK" } },
  stats: {
    answer: {
      ordersTotal: 12_840,
      orders24h: 214,
      medianSeconds: 412,
      completedShare: 0.99,
      coins: 38,
      networks: 21,
    },
  },
  pushKey: { answer: { publicKey: null } },
};
