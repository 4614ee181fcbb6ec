import { REVIEW_REASON } from "../../db/review-reasons.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import { returnArchivedOrder } from "../../db/archived-orders.ts";
import type { Schema } from "../../db/schema.ts";
import { toMinor } from "#contract/money.ts";
import type { Exposure } from "../decisions/decide-exposure.ts";
import { decodeState, encodeEventData, encodeState, type DomainEvent, type OrderState } from "../decisions/order.ts";

export type StoredOrder = {
  id: string;
  reference: string;
  version: number;
  state: OrderState;
  userEmail: string | null;
  isEmailConfirmed: boolean;
  /** Who made it while signed in. */
  userId: bigint | null;
  /** Whose link it was made by. */
  referrerId: string | null;
  /** What it waited for when it was last handled. */
  wait: string | null;
  /** The network fee that a refund was quoted with, and when. */
  refundFee: { amount: bigint; at: Date } | null;
  exposure: Exposure | null;
  /** Until when it waits for its customer before operators are notified; null where nothing is waited for, or they were notified. */
  choiceUntil: Date | null;
  /** Until when it waits for its deposit: the first, or another where all that it had are gone. */
  unpaidUntil: Date | null;
  /** When a restore put back its refund that waits; null once that wait has begun anew. */
  restoredAt: Date | null;
};

/** A deposit row as an order needs it: `height` is null while no canonical block has it, `minedAt` until one had it first. */
export type DepositRow = {
  id: bigint;
  key: string;
  txId: string;
  slug: string;
  amount: bigint;
  height: number | null;
  inMempool: boolean;
  detectedAt: Date;
  minedAt: Date | null;
  /** Since when no block and no mempool shows it. */
  goneSince: Date | null;
  creditedAt: Date | null;
  reviewReason: string | null;
};

/** Locks the order's row until the transaction ends; an archived order comes back first. Null when there is no such order. */
export async function lockOrder(transaction: Transaction<Schema>, id: string): Promise<StoredOrder | null> {
  const row = await transaction
    .selectFrom("orders")
    .select([
      "id",
      "reference",
      "version",
      "snapshot",
      "user_email",
      "is_email_confirmed",
      "user_id",
      "referrer_id",
      "waiting_for",
      "refund_fee",
      "refund_fee_at",
      "exposed_until",
      "exposed_amount",
      "choice_until",
      "unpaid_until",
      "restored_at",
    ])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return (await returnArchivedOrder(transaction, id)) ? lockOrder(transaction, id) : null;
  return {
    id: row.id,
    reference: row.reference,
    version: row.version,
    state: decodeState(row.snapshot),
    userEmail: row.user_email,
    isEmailConfirmed: row.is_email_confirmed,
    userId: row.user_id,
    referrerId: row.referrer_id,
    wait: row.waiting_for,
    refundFee:
      row.refund_fee === null || row.refund_fee_at === null ? null : { amount: row.refund_fee, at: row.refund_fee_at },
    exposure:
      row.exposed_until === null || row.exposed_amount === null
        ? null
        : { until: row.exposed_until, amount: toMinor(row.exposed_amount) },
    choiceUntil: row.choice_until,
    unpaidUntil: row.unpaid_until,
    restoredAt: row.restored_at,
  };
}

/** What an order's row becomes. */
export type NextOrder = {
  state: OrderState;
  wait: string | null;
  exposure: Exposure | null;
  unpaidUntil: Date | null;
};

/** Appends what was decided and moves the snapshot with it. */
export async function appendEvents(
  transaction: Transaction<Schema>,
  order: StoredOrder,
  events: DomainEvent[],
  { state: next, wait, exposure, unpaidUntil }: NextOrder,
): Promise<void> {
  const isExposedAlike =
    exposure?.amount === order.exposure?.amount && exposure?.until.getTime() === order.exposure?.until.getTime();
  const isUnpaidAlike = unpaidUntil?.getTime() === order.unpaidUntil?.getTime();
  if (events.length === 0 && wait === order.wait && isExposedAlike && isUnpaidAlike) return;
  await insertEvents(transaction, order.id, order.version, events);
  const completed = events.find((event) => event.kind === "WITHDRAWAL_COMPLETED");
  await transaction
    .updateTable("orders")
    .set({
      version: order.version + events.length,
      state: next.kind,
      snapshot: JSON.stringify(encodeState(next)),
      waiting_for: wait,
      unpaid_until: unpaidUntil,
      exposed_until: exposure?.until ?? null,
      exposed_amount: exposure?.amount ?? null,
      ...(completed === undefined ? {} : { completed_at: completed.at }),
    })
    .where("id", "=", order.id)
    .execute();
}

/** Makes the order due in `seconds`; with null it stays idle until something makes it due. */
export async function scheduleOrder(
  transaction: Transaction<Schema>,
  id: string,
  seconds: number | null,
): Promise<void> {
  const at = seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`;
  await transaction.updateTable("orders").set({ next_attempt_at: at }).where("id", "=", id).execute();
}

/** Anybody may send thousands that are too small to count: they are neither read nor shown without end. */
export const LATEST_DUST = 100;

/** The deposits of an order, without those that were sent back, the oldest first; of those too small to count, the latest hundred. */
export async function depositsOf(db: Pick<Transaction<Schema>, "selectFrom">, orderId: string): Promise<DepositRow[]> {
  const rows = await db
    .selectFrom("deposits")
    .selectAll()
    .where("order_id", "=", orderId)
    // A returned deposit no longer counts.
    .where("returned_at", "is", null)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("review_reason", "is distinct from", REVIEW_REASON.dust),
        eb(
          "id",
          "in",
          selectFrom("deposits")
            .select("id")
            .where("order_id", "=", orderId)
            .where("review_reason", "=", REVIEW_REASON.dust)
            .where("returned_at", "is", null)
            .orderBy("id", "desc")
            .limit(LATEST_DUST),
        ),
      ]),
    )
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    key: `${row.tx_id}:${row.output_index}`,
    txId: row.tx_id,
    slug: row.slug,
    amount: row.amount,
    height: row.block_height,
    inMempool: row.in_mempool,
    detectedAt: row.detected_at,
    minedAt: row.mined_at,
    goneSince: row.gone_since,
    creditedAt: row.credited_at,
    reviewReason: row.review_reason,
  }));
}

/** Orders that nobody paid in their time, the longest expired first. */
export async function unpaidOrders(database: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom("orders")
    .select("id")
    .where("unpaid_until", "<=", now)
    .orderBy("unpaid_until")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** PostgreSQL takes 65,535 parameters in a statement. */
const EVENTS_AT_ONCE = 1_000;

async function insertEvents(
  transaction: Transaction<Schema>,
  orderId: string,
  version: number,
  events: DomainEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event, index) => ({
    order_id: orderId,
    seq: version + index + 1,
    kind: event.kind,
    data: JSON.stringify(encodeEventData(event)),
    at: event.at,
  }));
  for (let from = 0; from < rows.length; from += EVENTS_AT_ONCE)
    await transaction
      .insertInto("order_events")
      .values(rows.slice(from, from + EVENTS_AT_ONCE))
      .execute();
}
