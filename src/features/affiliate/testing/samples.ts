import type { AffiliateStatistics, Credit, WalletWithdrawal } from "#contract/accounts/earnings.ts";

const USDT = { currencyTitle: "USDT", networkTitle: "TRX" };

/** Cashback of one of the account's own orders. */
export const credit = (over: Partial<Credit> = {}): Credit => ({
  id: "41",
  ...USDT,
  amount: "0.62",
  createdAt: "2026-11-19T12:00:00.000Z",
  source: "CASHBACK",
  status: "COMPLETED",
  orderReference: "2VDN-K7EA",
  address: null,
  networkFee: null,
  txId: null,
  ...over,
});

/** 50 USDT that were paid out. */
export const withdrawal = (over: Partial<WalletWithdrawal> = {}): WalletWithdrawal => ({
  id: "7",
  ...USDT,
  amount: "50",
  createdAt: "2026-11-17T12:00:00.000Z",
  source: null,
  status: "COMPLETED",
  orderReference: null,
  address: "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE",
  networkFee: "1.2",
  paid: null,
  txId: "0c2d5e7a",
  ...over,
});

/** Days up to 21 November that earned these sums. */
export const statistics = (...earned: readonly string[]): AffiliateStatistics => ({
  ...USDT,
  clicks: 1860,
  registrations: 12,
  orders: 214,
  earned: "87.61",
  days: earned.map((sum, n) => ({
    date: new Date(Date.UTC(2026, 10, 22 + n - earned.length)).toISOString().slice(0, 10),
    clicks: 10 * n,
    registrations: 0,
    orders: n,
    earned: sum,
  })),
});
