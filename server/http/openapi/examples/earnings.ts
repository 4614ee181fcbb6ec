import type { earningsCalls } from "#contract/calls/earnings.ts";
import type { Credit, MonthlyPayout, WalletWithdrawal } from "#contract/accounts/earnings.ts";
import type { ExamplesOf } from "./example.ts";
import { AT, REFERENCE } from "./exchange.ts";

const USDT_TRC20 = { currencyTitle: "USDT", networkTitle: "TRX" };
const CASHBACK: Credit = {
  id: "41",
  ...USDT_TRC20,
  amount: "0.37",
  createdAt: AT,
  source: "CASHBACK",
  status: "COMPLETED",
  orderReference: REFERENCE,
  address: null,
  networkFee: null,
  txId: null,
};
const ACCRUAL: Credit = { ...CASHBACK, id: "42", amount: "2.24", source: "AFFILIATE", orderReference: null };
const ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const MONTHLY_PAYOUT: MonthlyPayout = {
  address: ADDRESS,
  slug: "usdt-trc20",
  choices: ["usdt-trc20", "eth", "usdc-erc20"],
  since: AT,
  nextAt: "2026-12-01T00:00:00.000Z",
  lastOutcome: null,
};
const WITHDRAWAL: WalletWithdrawal = {
  id: "7",
  ...USDT_TRC20,
  amount: "25",
  createdAt: AT,
  source: null,
  status: "SENT",
  orderReference: null,
  address: ADDRESS,
  networkFee: "1.2",
  paid: null,
  txId: "0c2d5e7a9b1f3846c2d5e7a9b1f3846c2d5e7a9b1f3846c2d5e7a9b1f3846c2d",
};
const query = { offset: "0", limit: "20" };

export const earningsExamples: ExamplesOf<keyof typeof earningsCalls> = {
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
  affiliateAccruals: { query, answer: { items: [ACCRUAL], total: 1 } },
  affiliateCashbacks: { query, answer: { items: [CASHBACK], total: 1 } },
  affiliateWithdrawals: { query, answer: { items: [WITHDRAWAL], total: 1 } },
  withdrawalTerms: {
    answer: [{ ...USDT_TRC20, minimum: "10", networkFee: "1.2", reviewUsd: "500", newAddressUsd: "100" }],
  },
  createWithdrawal: {
    body: { ...USDT_TRC20, address: ADDRESS, amount: "25" },
    answer: { id: WITHDRAWAL.id, status: "PENDING" },
  },
  monthlyPayout: { answer: MONTHLY_PAYOUT },
  setMonthlyPayout: { body: { address: ADDRESS, slug: MONTHLY_PAYOUT.slug }, answer: MONTHLY_PAYOUT },
  walletBalances: { answer: [{ ...USDT_TRC20, balance: "12.61", held: "25" }] },
  walletDeposits: { query, answer: { items: [ACCRUAL, CASHBACK], total: 2 } },
  walletWithdrawals: { query, answer: { items: [WITHDRAWAL], total: 1 } },
};
