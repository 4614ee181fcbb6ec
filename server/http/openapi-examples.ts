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
  isEmailConfirmed: true,
  isTelegramLinked: false,
  hasSecondFactor: false,
  createdAt: AT,
};
const PUSH_KEY = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM";
const PUSH_BROWSER = {
  endpoint: "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
  keys: { p256dh: PUSH_KEY, auth: "tBHItJI5svbpez7KI4CCXg" },
  locale: "en",
};
const SESSION = {
  sessionId: SESSION_ID,
  kind: "LOCAL",
  device: "Firefox on Linux",
  isCurrent: true,
  createdAt: AT,
  lastUsedAt: AT,
};
const USDT_TRC20 = { currencyTitle: "USDT", networkTitle: "TRX" };
const CASHBACK = {
  id: "41",
  ...USDT_TRC20,
  amount: "0.37",
  createdAt: AT,
  source: "CASHBACK",
  status: "COMPLETED",
  orderReference: "7KQ4-M2XD",
  address: null,
  networkFee: null,
  txId: null,
};
const ACCRUAL = { ...CASHBACK, id: "42", amount: "2.24", source: "AFFILIATE", orderReference: null };
const WITHDRAWAL_ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const MONTHLY_PAYOUT = {
  address: WITHDRAWAL_ADDRESS,
  slug: "usdt-trc20",
  choices: ["usdt-trc20", "eth", "usdc-erc20"],
  since: "2026-11-21T12:00:00.000Z",
  nextAt: "2026-12-01T00:00:00.000Z",
  lastOutcome: null,
};
const WITHDRAWAL = {
  id: "7",
  ...USDT_TRC20,
  amount: "25",
  createdAt: AT,
  source: null,
  status: "SENT",
  orderReference: null,
  address: WITHDRAWAL_ADDRESS,
  networkFee: "1.2",
  paid: null,
  txId: "0c2d5e7a9b1f3846c2d5e7a9b1f3846c2d5e7a9b1f3846c2d5e7a9b1f3846c2d",
};
const PAGE = { offset: "0", limit: "20" };
const API_KEY = {
  apiId: "5d0b6a1e-3c9f-4f7e-8a42-0c1d2e3f4a5b",
  publicKey: "wk_8f3c1a90be77d2465c0e91f3a7d8b21e",
  name: "Shop checkout",
  whiteListIp: "185.12.44.0/24",
  isActive: true,
};
const WEBHOOK = {
  id: "0f9a3c52-6b1d-4c2e-9a77-3d5e8f1b2c40",
  url: "https://shop.example/wherry",
  createdAt: AT,
};
const ETH = { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" };
const USDT = { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" };

/** Examples of the OpenAPI document. */
export const EXAMPLES: Partial<Record<CallName, Example>> = {
  orderInfo: { query: ORDER_KEY },
  orderState: { query: { orderId: ORDER_KEY.orderId } },
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
  pairActivity: {
    query: { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20" },
    answer: {
      isAskedFor: true,
      latest: [{ amountFrom: "0.5", amountTo: "1500", completedAt: AT }],
      statistics: {
        exchanges: 96,
        medianSeconds: 420,
        delivered: { exchanges: 91, medianDifference: "-0.02", atLeastQuotedShare: 0.48 },
      },
    },
  },
  askedPairs: { answer: [{ from: "eth", to: "usdt-erc20", lastAt: AT }] },
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
  unlinkTelegram: { answer: {} },
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
  listApiKeys: { answer: [{ ...API_KEY, createdAt: AT, lastUsedAt: null }] },
  generateApiKey: {
    body: { name: API_KEY.name, whiteListIp: API_KEY.whiteListIp },
    answer: { ...API_KEY, secretKey: "ws_the-secret-is-in-this-answer-alone" },
  },
  updateApiKey: {
    body: { apiId: API_KEY.apiId, name: API_KEY.name, whiteListIp: "", isActive: false },
    answer: { ...API_KEY, whiteListIp: "", isActive: false, createdAt: AT, lastUsedAt: null },
  },
  deleteApiKey: { body: { apiId: API_KEY.apiId }, answer: {} },
  accountPush: { answer: { publicKey: PUSH_KEY, endpoint: null } },
  subscribeAccountPush: { body: PUSH_BROWSER, answer: { publicKey: PUSH_KEY, endpoint: PUSH_BROWSER.endpoint } },
  unsubscribeAccountPush: { answer: { isEndpointUsed: false } },
  webhooks: { answer: [WEBHOOK] },
  createWebhook: {
    body: { url: WEBHOOK.url },
    answer: { ...WEBHOOK, secret: "whs_the-secret-is-in-this-answer-alone" },
  },
  deleteWebhook: { body: { webhookId: WEBHOOK.id }, answer: {} },
  webhookDeliveries: { query: { webhookId: WEBHOOK.id, limit: "20" }, answer: { items: [], nextCursor: null } },
  testWebhook: { body: { webhookId: WEBHOOK.id }, answer: {} },
  redeliverWebhook: { body: { webhookId: WEBHOOK.id, deliveryId: WEBHOOK.id }, answer: {} },
  orderHistory: { query: { limit: "20", state: "COMPLETED", from: "2026-11-01" }, answer: { items: [], total: 0 } },
  orderHistoryCsv: { query: { state: "COMPLETED" } },
  claimOrders: { body: { orders: [ORDER_KEY] }, answer: { claimed: [ORDER_KEY.orderId] } },
  exportAccount: {
    answer: {
      exportedAt: AT,
      account: ACCOUNT,
      telegramId: null,
      locale: "en",
      sessions: [SESSION],
      apiKeys: [],
      verifications: [],
      orders: [],
      earnings: [],
      withdrawals: [],
      monthlyPayout: null,
      referrals: { referrerIds: [], clicks: [] },
      webhooks: [],
      partnerOrders: [],
      cardOrders: [],
      notifiedBrowsers: [],
    },
  },
  deleteAccount: { answer: {} },
  referrerId: {
    answer: {
      referrerId: "7KQ4M2XD",
      link: "https://wherry.example/?ref=7KQ4M2XD",
      deeplink: "https://t.me/wherry_bot?startapp=ref___7KQ4M2XD",
      shareBps: 3000,
      cashbackBps: 500,
    },
  },
  affiliateBalances: {
    answer: [{ ...USDT_TRC20, balance: "12.61", held: "25", accruedTotal: "87.61", withdrawnTotal: "50" }],
  },
  affiliateStatistics: {
    query: { days: "7" },
    answer: {
      ...USDT_TRC20,
      clicks: 214,
      registrations: 12,
      orders: 31,
      earned: "87.61",
      days: [{ date: "2026-11-21", clicks: 18, registrations: 1, orders: 3, earned: "6.72" }],
    },
  },
  affiliateAccruals: { query: PAGE, answer: { items: [ACCRUAL], total: 1 } },
  affiliateCashbacks: { query: PAGE, answer: { items: [CASHBACK], total: 1 } },
  affiliateWithdrawals: { query: PAGE, answer: { items: [WITHDRAWAL], total: 1 } },
  withdrawalTerms: {
    answer: [{ ...USDT_TRC20, minimum: "10", networkFee: "1.2", reviewUsd: "500", newAddressUsd: "100" }],
  },
  createWithdrawal: {
    body: { ...USDT_TRC20, address: WITHDRAWAL_ADDRESS, amount: "25" },
    answer: { id: "7", status: "PENDING" },
  },
  monthlyPayout: { answer: MONTHLY_PAYOUT },
  setMonthlyPayout: { body: { address: WITHDRAWAL_ADDRESS }, answer: MONTHLY_PAYOUT },
  walletBalances: { answer: [{ ...USDT_TRC20, balance: "12.61", held: "25" }] },
  walletDeposits: { query: PAGE, answer: { items: [ACCRUAL, CASHBACK], total: 2 } },
  walletWithdrawals: { query: PAGE, answer: { items: [WITHDRAWAL], total: 1 } },
  contact: {
    body: {
      email: "ann@example.com",
      reference: "7KQ4-M2XD",
      message: "My deposit has its confirmations. When is the payout?",
      locale: "en",
    },
    answer: { reference: "4D7K-Q2MX" },
  },
  authorityRequest: { answer: { reference: "4D7K-Q2MX" } },
  submitVerification: { answer: { status: "CREATED", rejectReason: null } },
  verificationStatus: { answer: { status: "REJECT", rejectReason: "document_unreadable" } },
  pushKey: { answer: { publicKey: null } },
};
