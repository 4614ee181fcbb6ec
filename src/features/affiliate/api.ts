import {
  affiliateBalancesSchema,
  type CreateWithdrawalBody,
  creditPageSchema,
  monthlyPayoutSchema,
  type SetMonthlyPayoutBody,
  referrerSchema,
  statisticsSchema,
  walletBalancesSchema,
  withdrawalPageSchema,
  withdrawalTermsSchema,
} from "#contract/accounts/earnings.ts";
import { type Instrument, instrumentsSchema } from "#contract/instrument.ts";
import { call } from "../../shared/http/http.ts";
import { useSeen } from "../../shared/account/last-seen.ts";
import { isOpen } from "./model/movements.ts";

/** How many rows a list has on one page. */
export const PAGE_SIZE = 10;

export type StatisticsDays = "7" | "30" | "90";

const pageAt = (offset: number, limit = PAGE_SIZE) => ({ offset: String(offset), limit: String(limit) });

export const useWalletBalances = (userId: number) =>
  useSeen(userId, "wallet balances", walletBalancesSchema, () => call("walletBalances"));

/** What came into the wallet, from whatever source. */
export const useDeposits = (userId: number, offset: number) =>
  useSeen(userId, `wallet deposits ${offset}`, creditPageSchema, () =>
    call("walletDeposits", { query: pageAt(offset) }),
  );

/** As the order's page asks (spec §9). */
const POLL_MS = 5_000;

/** Loaded again while the end of a row is to come. */
export const useWithdrawals = (userId: number, offset: number) =>
  useSeen(
    userId,
    `withdrawals ${offset}`,
    withdrawalPageSchema,
    () => call("affiliateWithdrawals", { query: pageAt(offset) }),
    { refreshInterval: (known) => (known?.items.some(isOpen) === true ? POLL_MS : 0) },
  );

export const useAccruals = (userId: number, offset: number) =>
  useSeen(userId, `accruals ${offset}`, creditPageSchema, () => call("affiliateAccruals", { query: pageAt(offset) }));

export const useCashbacks = (userId: number, offset: number) =>
  useSeen(userId, `cashbacks ${offset}`, creditPageSchema, () => call("affiliateCashbacks", { query: pageAt(offset) }));

export const useReferrer = (userId: number) => useSeen(userId, "referrer", referrerSchema, () => call("referrerId"));

export const useAffiliateBalances = (userId: number) =>
  useSeen(userId, "affiliate balances", affiliateBalancesSchema, () => call("affiliateBalances"));

export const useStatistics = (userId: number, days: StatisticsDays) =>
  useSeen(userId, `statistics ${days}`, statisticsSchema, () => call("affiliateStatistics", { query: { days } }));

export const useWithdrawalTerms = (userId: number) =>
  useSeen(userId, "withdrawal terms", withdrawalTermsSchema, () => call("withdrawalTerms"));

export const useMonthlyPayout = (userId: number) =>
  useSeen(userId, "monthly payout", monthlyPayoutSchema, () => call("monthlyPayout"));

/** Null ends it. */
export const setMonthlyPayout = (body: SetMonthlyPayoutBody) => call("setMonthlyPayout", { body });

/** The catalogue: it gives rows their names, and a withdrawal its network. */
export const useInstruments = (userId: number) =>
  useSeen(userId, "instruments", instrumentsSchema, () => call("instruments", { query: { all: "true" } }));

export type InstrumentName = Pick<Instrument, "currencyTitle" | "networkTitle">;

export const isSameInstrument = (a: InstrumentName, b: InstrumentName): boolean =>
  a.currencyTitle === b.currencyTitle && a.networkTitle === b.networkTitle;

/** Sends a withdrawal; the same key and body are taken once (contract §1). */
export const createWithdrawal = (body: CreateWithdrawalBody, idempotencyKey: string) =>
  call("createWithdrawal", { body, idempotencyKey });
