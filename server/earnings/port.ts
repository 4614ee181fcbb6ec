import type { Transaction } from "kysely";
import type {
  AffiliateBalance,
  AffiliateStatistics,
  CreateWithdrawalBody,
  Credit,
  MonthlyPayout,
  Referrer,
  SetMonthlyPayoutBody,
  WalletBalance,
  WalletWithdrawal,
  WithdrawalStatus,
  WithdrawalTerms,
} from "#contract/accounts/earnings.ts";
import type { Schema } from "../db/schema.ts";
import type { LedgerTransfer } from "../treasury/port.ts";

/** An order that has just been completed, locked by the transaction that completes it. */
export type CompletedOrder = {
  id: string;
  /** Our fee without the markup, in minor units; its price in USD is scaled by 10^18. */
  fee: { amount: bigint; decimals: number; priceUsd: bigint };
  /** The markup of the partner that made the order, in the same units. */
  markup: bigint;
  /** Whether its amounts differ from the quote: what it earns then waits for an operator. */
  isDoubtful: boolean;
};

/** Writes what completed orders earn, in the transaction that completes them (contract §9). */
export type EarningsRecorder = {
  /** Stores the credits, and gives the transfers that the caller posts with its own. */
  record(transaction: Transaction<Schema>, order: CompletedOrder, at: Date): Promise<readonly LedgerTransfer[]>;
};

export type Page = { offset: number; limit: number };
export type Paged<Item> = { items: Item[]; total: number };

/** Who withdraws: the account, and what its limits count; `seed` belongs to the call, and is the same when that is repeated after a crash. */
export type Withdrawer = {
  userId: bigint;
  /** Of the session that asks; absent where no session does. */
  sessionId?: string;
  clientKey: string;
  seed?: string | undefined;
  isFirst?: boolean | undefined;
  /** Since when the account has named the address as its own, with its proof; its first use counts from then. */
  addressKnownSince?: Date;
  /** The slug of the coin that is paid out instead, at the market price; absent: the currency of earnings. */
  paidIn?: string;
};

/** What HTTP may ask about affiliates, cashback and the wallet. Failures are CodedError. */
export type Earnings = {
  referrer(userId: bigint): Promise<Referrer>;
  affiliateBalances(userId: bigint): Promise<AffiliateBalance[]>;
  statistics(userId: bigint, days: number): Promise<AffiliateStatistics>;
  /** Null: of every source, as the wallet lists them. */
  credits(userId: bigint, source: "AFFILIATE" | "CASHBACK" | null, page: Page): Promise<Paged<Credit>>;
  withdrawals(userId: bigint, page: Page): Promise<Paged<WalletWithdrawal>>;
  withdrawalTerms(): WithdrawalTerms[];
  withdraw(by: Withdrawer, body: CreateWithdrawalBody): Promise<{ id: string; status: WithdrawalStatus }>;
  monthlyPayout(userId: bigint): Promise<MonthlyPayout>;
  setMonthlyPayout(by: Pick<Withdrawer, "userId" | "sessionId">, body: SetMonthlyPayoutBody): Promise<MonthlyPayout>;
  walletBalances(userId: bigint): Promise<WalletBalance[]>;
};
