import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { Handle, NetworkWallet } from "../../chains/port.ts";
import type { IntendPayout, PayoutIntent, PostTransfer, Switches } from "../port.ts";
import type { Clock } from "../../base/clock.ts";
import type { ReplacementTerms } from "../../catalogue/index.ts";
import type { SignInTurn } from "./signing-turns.ts";
import { kyselyOf, type QuerySource, type TransactionProbe } from "../../db/transaction.ts";
import type { Log } from "../../base/logging/log.ts";
import type { LogThrottle } from "../../base/logging/log-throttle.ts";

export type PayoutRow = {
  id: bigint;
  orderId: string | null;
  depositId: bigint | null;
  sweepId: bigint | null;
  exchangeId: bigint | null;
  withdrawalId: bigint | null;
  purpose: Schema["payouts"]["purpose"];
  /** A partner makes the payment of an order that it fills: we never sign that. */
  route: "treasury" | "partner";
  network: string;
  slug: string;
  toAddress: string;
  toMemo: string | null;
  amount: bigint;
  state: Schema["payouts"]["state"];
  minedHeight: number | null;
  /** An operator has decided that it is made although its deposit is gone. */
  paysWithoutDeposit: boolean;
  reviewReason: string | null;
  stuckReason: string | null;
  /** Since when it waits for a place among those of its wallet that wait for a block. */
  queuedAt: Date | null;
  /** What reached its recipient of a payment that moved less than was asked; null for every other. */
  arrived: bigint | null;
  spent: bigint | null;
  /** How often it has failed in a row. */
  failures: number;
  /** How often it was replaced. */
  replacements: number;
};

/** Sweeps and consolidations move coins between addresses of our own. */
export const isOrdered = ({ sweepId, purpose }: PayoutRow): boolean => sweepId === null && purpose !== "consolidation";

/** Stores a payment's intent in the transaction that decides it; a second payment for one order breaks UNIQUE(order_id) (engine law 4). */
export const intendPayout: IntendPayout = async (transaction, intent, at) => {
  if (await renewReturned(transaction, intent)) return;
  await transaction
    .insertInto("payouts")
    .values({
      order_id: "orderId" in intent.source ? intent.source.orderId : null,
      deposit_id: "depositId" in intent.source ? intent.source.depositId : null,
      sweep_id: "sweepId" in intent.source ? intent.source.sweepId : null,
      exchange_id: "exchangeId" in intent.source ? intent.source.exchangeId : null,
      withdrawal_id: "withdrawalId" in intent.source ? intent.source.withdrawalId : null,
      ...paymentColumns(intent),
      created_at: at,
    })
    .execute();
};

/** The payment of an order or a withdrawal that was returned before anything was sent to the customer becomes the new one: there is only ever one row. */
async function renewReturned(transaction: Transaction<Schema>, { source, ...intent }: PayoutIntent): Promise<boolean> {
  const [column, id] =
    "orderId" in source
      ? (["order_id", source.orderId] as const)
      : "withdrawalId" in source
        ? (["withdrawal_id", source.withdrawalId] as const)
        : [null];
  if (column === null) return false;
  const { numUpdatedRows } = await transaction
    .updateTable("payouts")
    .set(paymentColumns(intent))
    .where(column, "=", id)
    .where("state", "=", "returned")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const paymentColumns = (intent: Omit<PayoutIntent, "source">) => ({
  purpose: intent.purpose,
  route: intent.route ?? ("treasury" as const),
  network: intent.network,
  slug: intent.slug,
  to_address: intent.toAddress,
  to_memo: intent.toMemo,
  amount: intent.amount,
  state: "intended" as const,
  next_attempt_at: intent.route === "partner" ? null : sql<Date>`now()`,
  failures: 0,
  last_error: null,
  resend_at: null,
  review_reason: null,
  review_at: null,
  refund_requested_at: null,
  refund_address: null,
  refund_memo: null,
  replace_at: null,
  replacements: 0,
  stuck_at: null,
  stuck_reason: null,
  short_since: null,
  queued_at: null,
  over_charge_since: null,
  approval: null,
  approval_proposed_by: null,
  approval_confirmed_by: null,
  pays_without_deposit: false,
});

const columns = [
  "id",
  "order_id as orderId",
  "deposit_id as depositId",
  "sweep_id as sweepId",
  "exchange_id as exchangeId",
  "withdrawal_id as withdrawalId",
  "purpose",
  "route",
  "network",
  "slug",
  "to_address as toAddress",
  "to_memo as toMemo",
  "amount",
  "state",
  "mined_height as minedHeight",
  "pays_without_deposit as paysWithoutDeposit",
  "review_reason as reviewReason",
  "stuck_reason as stuckReason",
  "queued_at as queuedAt",
  "arrived",
  "spent",
  "failures",
  "replacements",
] as const;

/** The payment as it is now, unlocked; null for an unknown id. */
export async function loadPayout(source: QuerySource, id: bigint): Promise<PayoutRow | null> {
  return (await kyselyOf(source).selectFrom("payouts").select(columns).where("id", "=", id).executeTakeFirst()) ?? null;
}

/** The payment, locked until the transaction ends; null for an unknown id. Its state is compared with the one that was acted on. */
export async function lockPayout(transaction: Transaction<Schema>, id: bigint): Promise<PayoutRow | null> {
  const row = await transaction
    .selectFrom("payouts")
    .select(columns)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The handle that a payment has reserved. */
export async function reservedHandle(source: QuerySource, payoutId: bigint): Promise<Handle | null> {
  const rows = await kyselyOf(source)
    .selectFrom("payout_handles")
    .select(["payout_id", "key", "data"])
    .where("payout_id", "=", payoutId)
    .where("released_at", "is", null)
    .orderBy("id")
    .execute();
  return handlesOf(rows)[0] ?? null;
}

/**
 * Every handle that a payment of a network has reserved, and the one with the highest nonce that `from` has ever used: a node that
 * has forgotten that payment would offer its nonce once more (engine law 18).
 */
export async function reservedOn(database: Database, network: string, from: string): Promise<Handle[]> {
  const rows = await database.kysely
    .selectFrom("payout_handles")
    .select(["payout_id", "key", "data"])
    .where("network", "=", network)
    .where("released_at", "is", null)
    .orderBy("id")
    .execute();
  // Another nonce that was released may have to be used, or those above it stand still.
  const used = await sql<(typeof rows)[number]>`
    select h.payout_id, h.key, h.data from payout_handles h
    where h.network = ${network} and split_part(h.key, ':', 1) = ${from} and h.data ? 'nonce' and h.used_at is not null
    order by (h.data ->> 'nonce')::bigint desc limit 1`.execute(database.kysely);
  return handlesOf([...rows, ...used.rows]);
}

/** Of a row of `payouts`: nothing of it can reach the chain any more, for none of its attempts is alive and it has reserved no handle. */
export const hasNothingAlive = sql<boolean>`(
  not exists (select from payout_attempts a where a.payout_id = payouts.id and a.status <> 'dead')
  and not exists (select from payout_handles h where h.payout_id = payouts.id and h.released_at is null))`;

/** Reserves every key of a handle, or none: false when another payment holds one of them, or the chain has used one. */
export async function reserveHandle(
  transaction: Transaction<Schema>,
  payout: Pick<PayoutRow, "id" | "network">,
  handle: Handle,
): Promise<boolean> {
  const data = JSON.stringify(handle.data);
  const rows = handle.keys.map((key) => ({ network: payout.network, key, payout_id: payout.id, data }));
  const taken = await transaction
    .insertInto("payout_handles")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["network", "key"])
        .where((is) => is.or([is("released_at", "is", null), is("used_at", "is not", null)]))
        .doNothing(),
    )
    .returning("id")
    .execute();
  if (taken.length === rows.length) return true;
  const ids = taken.map((row) => row.id);
  if (ids.length > 0) await transaction.deleteFrom("payout_handles").where("id", "in", ids).execute();
  return false;
}

/** Gives back what a payment without a live attempt has reserved, unless an empty payment may use it. The caller holds its lock. */
export const releaseUnsigned = (transaction: Transaction<Schema>, id: bigint) =>
  transaction
    .updateTable("payout_handles")
    .set({ released_at: sql<Date>`now()` })
    .where("payout_id", "=", id)
    .where("released_at", "is", null)
    .where(
      sql<boolean>`not exists (select from payout_cancellations c where c.payout_id = ${id} and c.status = 'prepared')`,
    )
    .execute();

/** Whether the chain has used a handle for another payment since it was chosen. */
export async function isUsed(transaction: Transaction<Schema>, network: string, { keys }: Handle): Promise<boolean> {
  const used = await transaction
    .selectFrom("payout_handles")
    .select("id")
    .where("network", "=", network)
    .where("key", "in", keys)
    .where("used_at", "is not", null)
    .executeTakeFirst();
  return used !== undefined;
}

function handlesOf(rows: { payout_id: bigint; key: string; data: Record<string, unknown> }[]): Handle[] {
  const handles = new Map<bigint, { keys: string[]; data: Record<string, unknown> }>();
  for (const { payout_id, key, data } of rows) {
    const known = handles.get(payout_id);
    if (known === undefined) handles.set(payout_id, { keys: [key], data });
    else known.keys.push(key);
  }
  return [...handles.values()];
}

/** A payment that a block woke while it was handled stays due: the block may show what it waits for. */
export const dueIn = (seconds: number) =>
  sql<Date>`case when next_attempt_at <= now() then now() else now() + make_interval(secs => ${seconds}) end`;

/** Makes a payment due in so many seconds, or leaves it due where it already is. */
export async function schedulePayout(source: QuerySource, id: bigint, seconds: number | null): Promise<void> {
  await kyselyOf(source)
    .updateTable("payouts")
    .set({ next_attempt_at: seconds === null ? null : dueIn(seconds) })
    .where("id", "=", id)
    .execute();
}

/** In USD, scaled by 10^18; null: unbounded. */
export type ApprovalBounds = Readonly<{
  /** Of one payment. */
  aboveUsd: bigint | null;
  /** Of all to one destination, or for one client, within an hour. */
  hourlyUsd: bigint | null;
  /** Of all on one network within an hour. */
  networkHourlyUsd: bigint | null;
}>;

export type PayoutParts = {
  database: Database;
  wallets: ReadonlyMap<string, NetworkWallet>;
  clock: Clock;
  log: Log;
  post: PostTransfer;
  /** The slug of the coin that a network's fees are paid in. */
  feeSlugOf(network: string): string;
  /** Confirmations after which a payment can't be undone on its network. */
  finalDepthOf(slug: string): number;
  /** What a payment may cost at most, in minor units of its network's fee coin; null: only the caps of its network bound it. */
  costLimit(payout: PayoutRow, kind?: "first" | "replacement"): Promise<bigint | null>;
  /** In USD, scaled by 10^18; null while there is no usable price. */
  priceUsd(slug: string): bigint | null;
  decimalsOf(slug: string): number;
  /** Beyond these a payment needs two operators; null: none does. */
  approval: ApprovalBounds | null;
  /** When a payment of a network is stuck, and what replacing it may cost. */
  replacement(network: string): ReplacementTerms;
  switches: Pick<Switches, "stoppedNow">;
  /** Whether the order's current state demands this payment, read again before signing (engine law 14). */
  authorisePayout(payout: PayoutRow): Promise<boolean>;
  signInTurn: SignInTurn;
  /** Networks whose wallet has said in the running batch of their payments that it takes no more. */
  fullWallets: Set<string>;
  /** Whether a stop that many payments meet every few seconds is to be logged. */
  isStopReminderDue: LogThrottle;
  /** Notifies whoever withdraws, in the transaction that decides what becomes of the payment. */
  notifyWithdrawal(transaction: Transaction<Schema>, withdrawalId: bigint, event: "paid" | "failed"): Promise<void>;
  /** Called when a payment was mined, so that its order is handled at once. */
  onMined(orderId: string): void;
  probe?: TransactionProbe;
};
