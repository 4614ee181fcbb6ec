import type { Kysely, Transaction } from "kysely";
import type { RateMode } from "#contract/rate.ts";
import type { Schema } from "../db/schema.ts";
import type { Operator } from "../admin/index.ts";

export type { UnpayableParts } from "./payouts/unpayable-addresses.ts";

/**
 * `hot` and `deposits` mirror, below zero, what the hot wallets and the deposit addresses hold; `customers` is owed to orders in progress;
 * `held` is reserved from what is owed until it is settled or released; `treasury` is our own capital; `revenue` holds
 * fees; `partners` mirrors, below zero, what was sent to partners and neither exchanged nor returned yet; `losses`, below zero, is what
 * customers have withdrawn of earnings that were reversed; `suspense` is what hot wallets hold and nobody has explained; a wallet is what an account is owed and may withdraw.
 */
export type LedgerAccount =
  | "hot"
  | "deposits"
  | "customers"
  | "held"
  | "treasury"
  | "revenue"
  | "partners"
  | "losses"
  | "suspense"
  | WalletAccount;
export type WalletAccount = `wallet:${bigint}`;

export type LedgerEntry = { account: LedgerAccount; slug: string; amount: bigint };
export type LedgerTransfer = { kind: string; sourceId: string; at: Date; entries: LedgerEntry[] };
export type PostTransfer = (transaction: Transaction<Schema>, transfer: LedgerTransfer) => Promise<void>;
export type PostTransfers = (transaction: Transaction<Schema>, transfers: readonly LedgerTransfer[]) => Promise<void>;

/** The transfer that reverses another by the opposite entries, once; throws where there is nothing to reverse. */
export type ReversalOf = (
  transaction: Transaction<Schema>,
  transfer: Omit<LedgerTransfer, "entries">,
) => Promise<LedgerTransfer>;

/** A payment from one of our addresses; stored as an intent in the transaction that decides it (engine law 2). */
export type PayoutIntent = {
  /** An order has one payment, a stray deposit has one of its own, and so has a sweep, besides those for its gas (engine law 4). */
  source:
    | { orderId: string }
    | { depositId: bigint }
    | { sweepId: bigint }
    | { exchangeId: bigint }
    | { withdrawalId: bigint };
  purpose: "payout" | "refund" | "sweep" | "gas" | "funding" | "withdrawal";
  /** Set where a partner makes this payment: the row then only reserves the order's one payment. */
  route?: "partner";
  network: string;
  slug: string;
  toAddress: string;
  toMemo: string | null;
  amount: bigint;
};

/**
 * Makes an order say what the chain shows that it was paid where that isn't what was decided since. Locks the order, so whoever calls it
 * locks the payment afterwards. Throws `OperatorError` where the order can't have been paid that.
 */
export type CorrectPayment = (
  transaction: Transaction<Schema>,
  paid: { orderId: string; purpose: "payout" | "refund"; txId: string; amount: bigint; at: Date },
) => Promise<void>;

/**
 * Makes a withdrawal, of which nothing is signed, say what it has paid, or with null what it owed before that, as far as its wallet still has it. Throws `OperatorError` where it is
 * none that waits.
 */
export type CorrectWithdrawal = (
  transaction: Transaction<Schema>,
  paid: { withdrawalId: bigint; txId: string; amount: bigint | null; at: Date },
) => Promise<Corrected>;

/**
 * `amount` is what its payment pays now; `missing` is what its wallet has no longer of what was paid more, which is taken from later credits, or, where it owes again, of what was put
 * back: `amount` is without that. `isUndecided`: it waits for an operator again, since what it was approved by is gone.
 */
export type Corrected = { amount: bigint; missing: { slug: string; amount: bigint }; isUndecided: boolean };

export type IntendPayout = (transaction: Transaction<Schema>, intent: PayoutIntent, at: Date) => Promise<void>;

/** Stops an action: `scope` is `*`, a network's title or an instrument's slug (engine law 11). */
export type KillSwitch = {
  action: "quote" | "accept" | "pay";
  scope: string;
  direction: "from" | "to" | "both";
  reason: string;
};

/** Who has stopped it: each lifts its own stop alone. */
export type StopCause = "operator" | "reconciler" | "follower";

/** Since when something is stopped, and who said so; null where no operator did. */
export type Decided = { since: Date | null; operator: string | null };

type Instrument = { slug: string; networkTitle: string };

export type Switches = {
  /** Whether nothing is signed on a network for longer than it may take, as last read: it is down then (engine law 18). */
  isHeld(network: string): boolean;
  /** Why an action is stopped for an instrument on that side of a pair, as last read; null when it is not. */
  stopped(action: KillSwitch["action"], instrument: Instrument, direction: "from" | "to"): string | null;
  /** The same, read from the database now, of a transaction where one is given. */
  stoppedNow(
    action: KillSwitch["action"],
    instrument: Instrument,
    direction: "from" | "to",
    db?: Kysely<Schema>,
  ): Promise<string | null>;
  /** A change `by` an operator is recorded with it. */
  stop(one: KillSwitch, by?: Operator): Promise<void>;
  /**
   * Ends one stop: an operator's, else a follower's, else the reconciler's once it misses nothing any more. False where none is set. Throws
   * `OperatorError` while the reconciler misses something: that is booked first.
   */
  release(one: Omit<KillSwitch, "reason">, by?: Operator): Promise<boolean>;
  /** Stops a network's payments while the reconciler misses an amount of an instrument; null: it misses none any more. */
  reportShortage(network: string, slug: string, missing: bigint | null): Promise<void>;
  /**
   * Ends the reconciler's stop of a network where it misses nothing any more and an operator has said since which payment the unknown one
   * was, or a block that it was one to ourselves: what had happened is booked (engine law 11). True when it has ended one.
   */
  endExplainedShortage(network: string): Promise<boolean>;
  /** Everything that is stopped, read from the database now. */
  list(): Promise<(KillSwitch & { cause: StopCause } & Decided)[]>;
  /**
   * Why the service is in refund-only mode, as last read; null when it takes orders. Quotes and orders are then stopped for
   * everything; payouts and refunds go on.
   */
  refundOnly(): string | null;
  refundOnlyNow(): Promise<string | null>;
  /** The same with who began it and when; null when the service takes orders. */
  refundOnlyDecided(): Promise<({ reason: string } & Decided) | null>;
  /** Begins refund-only mode for a reason, or ends it with null. It outlives every process. */
  setRefundOnly(reason: string | null, by?: Operator): Promise<void>;
  /** Reads what other processes have changed. */
  refresh(): Promise<void>;
};

/** What the hot wallets can still pay. */
export type AvailableBalances = {
  /** Minor units available for new orders; null while unknown. */
  available(slug: string, rateMode: RateMode): bigint | null;
  /** Counts an order that was just created; the next `refresh` reads it from its row. */
  promise(slug: string, amount: bigint, rateMode: RateMode): void;
  refresh(): Promise<void>;
};
