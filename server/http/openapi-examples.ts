import type { CallName } from "#contract/calls.ts";

/** `query`, `body` and `answer` as they go over the wire; a test parses each by its schema. */
export type Example = { query?: Readonly<Record<string, string>>; body?: unknown; answer?: unknown };

const ORDER_KEY = {
  orderId: "4fJ0m1rTq8ZbX2cVn6LsKw",
  destinationAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
};
const EMAIL = "customer@example.com";
const PASSWORD = "correct horse battery";
const SESSION_ID = "7f1c2a9e4b6d48f0a3c5e7d9b1f20846";
const AT = "2026-11-21T12:00:00.000Z";
const ACCOUNT = {
  userId: 7,
  email: EMAIL,
  permissions: "USER",
  adminPermissionsScope: null,
  isTelegramLinked: false,
  hasSecondFactor: false,
  createdAt: AT,
};
const SESSION = {
  sessionId: SESSION_ID,
  kind: "LOCAL",
  device: "Firefox on Linux",
  isCurrent: true,
  createdAt: AT,
  lastUsedAt: AT,
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
  setEmail: { body: { ...ORDER_KEY, userEmail: EMAIL } },
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
  accountData: { answer: ACCOUNT },
  logOut: { answer: {} },
  createLocal: { body: { email: EMAIL, password: PASSWORD, locale: "en" }, answer: {} },
  authenticateLocal: { body: { email: EMAIL, password: PASSWORD }, answer: {} },
  refresh: { body: { browserFingerprint: "b1" }, answer: {} },
  requestPasswordReset: { body: { email: EMAIL, locale: "en" }, answer: {} },
  resetPassword: { body: { email: EMAIL, password: PASSWORD, resetCode: "7KQ4M2XD" }, answer: {} },
  linkTelegram: { body: { initData: "query_id=…&user=…&auth_date=…&hash=…" }, answer: {} },
  reauthenticate: { body: { password: PASSWORD }, answer: { validUntil: AT } },
  sessions: { answer: [SESSION] },
  endSession: { body: { sessionId: SESSION_ID }, answer: {} },
  changePassword: { body: { password: PASSWORD }, answer: {} },
  changeEmail: { body: { email: EMAIL }, answer: {} },
  confirmEmail: { body: { code: "7KQ4M2XD" }, answer: {} },
  beginSecondFactor: {
    answer: {
      secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      uri: "otpauth://totp/Wherry:customer@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Wherry",
    },
  },
  confirmSecondFactor: { body: { code: "123456" }, answer: { recoveryCodes: ["7KQ4-M2XD-9R3T-WB8E"] } },
  removeSecondFactor: { answer: {} },
  claimOrders: { body: { orders: [ORDER_KEY] }, answer: { claimed: [ORDER_KEY.orderId] } },
  exportAccount: {
    answer: { exportedAt: AT, account: ACCOUNT, telegramId: null, locale: "en", sessions: [SESSION], orders: [] },
  },
  deleteAccount: { answer: {} },
  pushKey: { answer: { publicKey: null } },
};
