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
  /** The account's own link, made when it is first asked for. */
  referrer(userId: bigint): Promise<Referrer>;
  /** The part of the wallet that was earned: it leaves the wallet before what an operator gave. */
  affiliateBalances(userId: bigint): Promise<AffiliateBalance[]>;
  /** What its link has brought: since the account began, and on each of the last `days` of UTC, the oldest first. */
  statistics(userId: bigint, days: number): Promise<AffiliateStatistics>;
  /** The newest first. Null: of every source, as the wallet lists them, without those that wait for an operator or were refused. */
  credits(userId: bigint, source: "AFFILIATE" | "CASHBACK" | null, page: Page): Promise<Paged<Credit>>;
  /** The newest first. */
  withdrawals(userId: bigint, page: Page): Promise<Paged<WalletWithdrawal>>;
  /** One for each coin that can be withdrawn; `networkFee` is null while it has no price. */
  withdrawalTerms(): WithdrawalTerms[];
  /**
   * Takes the amount, the network fee included, from the wallet and records the payment, or lets it wait for an operator (contract §9).
   * ERR_WITHDRAWAL_TOO_SMALL, ERR_BALANCE_TOO_LOW, ERR_BALANCE_NOT_FOUND, ERR_NETWORK_NOT_SUPPORTED, ERR_FORBIDDEN for a blacklisted address,
   * 429 after too many in one day.
   */
  withdraw(by: Withdrawer, body: CreateWithdrawalBody): Promise<{ id: string; status: WithdrawalStatus }>;
  monthlyPayout(userId: bigint): Promise<MonthlyPayout>;
  /** Sets or ends it; returns it as it is then. ERR_VALIDATION for a bad address and a coin that can't be paid out, ERR_FORBIDDEN for a blacklisted one. */
  setMonthlyPayout(by: Pick<Withdrawer, "userId" | "sessionId">, body: SetMonthlyPayoutBody): Promise<MonthlyPayout>;
  /** One for the currency of earnings, also where it is empty, and one for each other coin that the account was owed. */
  walletBalances(userId: bigint): Promise<WalletBalance[]>;
};
