import { sql, type Transaction } from "kysely";
import type { CardDirection } from "#contract/card.ts";
import { sha256 } from "../../base/secrets.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";

export type CardOrderRow = {
  id: bigint;
  orderId: string;
  userId: bigint;
  provider: string;
  direction: CardDirection;
  phase: "opening" | "open" | "ended" | "abandoned";
  /** The id that the provider knows it by. */
  merchantId: string;
  createdAt: Date;
  isInReview: boolean;
  /** What operators have decided of its end, and no worker has taken yet. */
  operatorEnd: "closed" | "done" | "refunded" | null;
};

/** While it is opened nothing is asked; one that nobody came back for is abandoned. */
const ABANDON_AFTER_SECONDS = 3_600;

/**
 * Records that an order is about to be opened, before the provider is asked; returns this attempt's id for the provider. A repetition finds
 * the same row; null where the order is open already.
 */
export async function intendCardOrder(
  transaction: Transaction<Schema>,
  given: { orderId: string; userId: bigint; provider: string; direction: CardDirection; merchantId: string },
): Promise<{ merchantId: string; attempt: number } | null> {
  const { rows } = await sql<{ merchant_id: string; attempts: number }>`
    insert into card_orders (order_id, user_id, provider, direction, merchant_id, attempts, phase, next_attempt_at)
    values (${given.orderId}, ${given.userId}, ${given.provider}, ${given.direction}, ${given.merchantId}, 1, 'opening',
      now() + make_interval(secs => ${ABANDON_AFTER_SECONDS}))
    on conflict (order_id) do update set attempts = card_orders.attempts + 1, phase = 'opening', next_attempt_at = excluded.next_attempt_at
      where card_orders.phase in ('opening', 'abandoned')
    returning merchant_id, attempts`.execute(transaction);
  const [row] = rows;
  return row === undefined ? null : { merchantId: `${row.merchant_id}-${row.attempts}`, attempt: row.attempts };
}

/** The row of an order that the provider has opened, in the transaction that stores the order. */
export async function markCardOrderOpen(
  transaction: Transaction<Schema>,
  { orderId, attempt, askAfterSeconds }: { orderId: string; attempt: number; askAfterSeconds: number },
): Promise<void> {
  await sql`
    update card_orders set phase = 'open', opened_attempt = ${attempt}, next_attempt_at = now() + make_interval(secs => ${askAfterSeconds})
    where order_id = ${orderId}`.execute(transaction);
}

/** Nothing is open at the provider: a later call may begin again. */
export async function abandonCardOrder(database: Database, orderId: string): Promise<void> {
  await sql`
    update card_orders set phase = 'abandoned', next_attempt_at = null where order_id = ${orderId} and phase = 'opening'`.execute(
    database.kysely,
  );
}

const MERCHANT_ID = /^([a-f0-9]{32})-(\d{1,6})$/;

/** By what the provider calls it; null for one that was never opened by us, and for an attempt that the customer never saw. */
export async function findByMerchantId(database: Database, merchantId: string): Promise<CardOrderRow | null> {
  const [, base, attempt] = MERCHANT_ID.exec(merchantId) ?? [];
  if (base === undefined || attempt === undefined) return null;
  const row = await select(database)
    .where("merchant_id", "=", base)
    .where((is) => is.or([is("opened_attempt", "=", Number(attempt)), is("opened_attempt", "is", null)]))
    .executeTakeFirst();
  return row === undefined ? null : { ...rowOf(row), merchantId };
}

export async function findById(database: Database, id: bigint): Promise<CardOrderRow | null> {
  const row = await select(database).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : rowOf(row);
}

const select = ({ kysely }: Database) => kysely.selectFrom("card_orders").selectAll();

const rowOf = (row: Awaited<ReturnType<ReturnType<typeof select>["executeTakeFirstOrThrow"]>>): CardOrderRow => ({
  id: row.id,
  orderId: row.order_id,
  userId: row.user_id,
  provider: row.provider,
  direction: row.direction,
  phase: row.phase,
  merchantId: `${row.merchant_id}-${row.opened_attempt ?? row.attempts}`,
  createdAt: row.created_at,
  isInReview: row.review_at !== null,
  operatorEnd: row.operator_end === "closed" || row.operator_end_confirmed_by !== null ? row.operator_end : null,
});

/** Puts it where operators look, or takes it from there, in the transaction that changes what the order waits for. */
export async function markCardReview(transaction: Transaction<Schema>, id: bigint, isWaiting: boolean): Promise<void> {
  const none = { review_at: null, operator_end: null, operator_end_by: null, operator_end_confirmed_by: null };
  const kept = { review_at: sql<Date>`coalesce(review_at, now())` };
  await transaction
    .updateTable("card_orders")
    .set(isWaiting ? kept : none)
    .where("id", "=", id)
    .execute();
}

/** Asks again in so many seconds; null: never. */
export async function scheduleCardOrder(
  db: Pick<Transaction<Schema>, "updateTable"> | Transaction<Schema>,
  id: bigint,
  seconds: number | null,
): Promise<void> {
  const at = seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`;
  await db
    .updateTable("card_orders")
    .set({ next_attempt_at: at, ...(seconds === null && { phase: "ended" as const }) })
    .where("id", "=", id)
    .execute();
}

/** False for a callback whose bytes came before. */
export async function takeOnce(transaction: Transaction<Schema>, id: bigint, rawBody: string): Promise<boolean> {
  const digest = sha256(rawBody);
  const { numAffectedRows } = await sql`
    insert into card_callbacks (digest, card_order_id) values (${digest}, ${id}) on conflict (digest) do nothing`.execute(
    transaction,
  );
  return numAffectedRows === 1n;
}
