import { type RawBuilder, sql, type Transaction } from "kysely";
import * as z from "zod";
import { retryPauseSeconds } from "../../base/outbound/retry-pause.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";

/** Deliveries to one receiver at a time; one that has failed gets one. */
const AT_ONCE = 4;
/** Longer than the longest attempt: a crashed worker's rows come back after it. */
const LEASE_SECONDS = 60;
const GIVE_UP_AFTER = sql`interval '72 hours'`;
const KEPT = sql`interval '30 days'`;

/**
 * The deliveries of one order are found by its index, whatever the planner believes: with what `=` compares it may read all that waits for
 * the receiver once for each of them. `offset 0` keeps such a question from becoming a join of both.
 */
const sameWebhook = (column: string, webhookId: unknown): RawBuilder<boolean> =>
  sql`${sql.ref(column)} is not distinct from ${webhookId}`;

const leasedSchema = z.object({
  n: z.bigint(),
  id: z.string(),
  webhook_id: z.string(),
  user_id: z.bigint(),
  url: z.string(),
  secret: z.instanceof(Buffer),
  order_id: z.string().nullable(),
  type: z.enum(["order.updated", "test"]),
  body: z.string().nullable(),
  attempts: z.int(),
  created_at: z.date(),
  is_over: z.boolean(),
});
export type Leased = z.infer<typeof leasedSchema>;

/**
 * The receivers that anything waits for, one step of the index each: most have nothing, and one that hangs has thousands. What is asked of
 * each is a `limit`, which the planner can't turn into a pass over all receivers.
 */
const RECEIVERS_IN_USE = sql`
  waiting (webhook_id) as (
    (select webhook_id from webhook_deliveries where state = 'pending' order by webhook_id limit 1)
    union all
    select (
      select d.webhook_id from webhook_deliveries d where d.state = 'pending' and d.webhook_id > w.webhook_id order by d.webhook_id limit 1
    ) from waiting w where w.webhook_id is not null
  )`;

/** What an attempt ended with; `status` is null where nothing answered. */
export type AttemptResult = { status: number | null; error: string | null };

/**
 * Leases due deliveries: of each receiver a few, and of an order only its earliest that is not delivered. `busy` has as many in
 * progress as it may have. The lease counts as an attempt, so that a process that dies leaves it behind.
 */
export async function leaseDeliveries(
  database: Database,
  busy: ReadonlyMap<string, number>,
  limit: number,
): Promise<Leased[]> {
  const inProgress = JSON.stringify(Object.fromEntries(busy));
  const { rows } = await sql`
    with recursive ${RECEIVERS_IN_USE}, due as (
      select found.n from (
        select w.id, case when w.failures = 0 then ${AT_ONCE} else 1 end - coalesce((${inProgress}::jsonb->>(w.id::text))::int, 0) as room
        from waiting cross join lateral (select * from webhooks where id = waiting.webhook_id limit 1) w order by random()
      ) receivers cross join lateral (
        select d.n from webhook_deliveries d
        where d.webhook_id = receivers.id and d.state = 'pending' and d.next_attempt_at <= now() and not exists (
          select from webhook_deliveries e
          where e.order_id = d.order_id and ${sameWebhook("e.webhook_id", sql.ref("d.webhook_id"))} and e.state = 'pending' and e.n < d.n
          offset 0
        )
        order by d.next_attempt_at, d.n limit greatest(0, receivers.room) for update skip locked
      ) found limit ${limit}
    )
    update webhook_deliveries d set attempts = d.attempts + 1, last_attempt_at = now(),
      next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
    from due, webhooks w where d.n = due.n and w.id = d.webhook_id
    returning d.n, d.id::text as id, d.webhook_id::text as webhook_id, w.user_id, w.url, w.secret, d.order_id, d.type, d.body, d.attempts,
      d.created_at, d.retried_since < now() - ${GIVE_UP_AFTER} as is_over`.execute(database.kysely);
  return z.array(leasedSchema).parse(rows);
}

/** Keeps the bytes of the first attempt for the others. */
export async function storeBody(database: Database, { n }: Leased, body: string): Promise<void> {
  await database.kysely.updateTable("webhook_deliveries").set({ body }).where("n", "=", n).execute();
}

/** The order's later deliveries, which were queued to wait for this one, are due. */
export async function recordDelivered(
  database: Database,
  { n, webhook_id, order_id }: Leased,
  status: number,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await untilNoneIsQueued(transaction, order_id);
    await sql`
    with done as (
      update webhook_deliveries set state = 'delivered', delivered_at = now(), next_attempt_at = null, last_status = ${status}, last_error = null
      where n = ${n} and state = 'pending'
    ), later as (
      update webhook_deliveries set next_attempt_at = now()
      where order_id = ${order_id} and ${sameWebhook("webhook_id", webhook_id)} and state = 'pending' and n > ${n}
    )
    update webhooks set failures = 0 where id = ${webhook_id} and failures > 0`.execute(transaction);
  });
}

/** What the order's transaction queues behind this delivery, which it saw on its way, must be there to be moved. Every one of them locks the order. */
const untilNoneIsQueued = (transaction: Transaction<Schema>, orderId: string | null): Promise<unknown> =>
  sql`select from orders where id = ${orderId} for key share`.execute(transaction);

/** Tries again after a pause that doubles, up to an hour; the order's later deliveries wait as long. After 72 h it is dead. */
export async function recordFailed(
  database: Database,
  { n, webhook_id, order_id, attempts, is_over }: Leased,
  { status, error }: AttemptResult,
): Promise<void> {
  const pause = retryPauseSeconds(attempts);
  await inTransaction(database, async (transaction) => {
    await untilNoneIsQueued(transaction, order_id);
    await sql`
    with failed as (
      update webhook_deliveries set last_status = ${status}, last_error = ${error},
        state = case when ${is_over} then 'dead' else 'pending' end,
        next_attempt_at = case when ${is_over} then null else now() + make_interval(secs => ${pause}) end
      where n = ${n} and state = 'pending' and attempts = ${attempts}
    ), later as (
      update webhook_deliveries set next_attempt_at = case when ${is_over} then now() else now() + make_interval(secs => ${pause}) end
      where order_id = ${order_id} and ${sameWebhook("webhook_id", webhook_id)} and state = 'pending' and n > ${n}
    )
    update webhooks set failures = failures + 1 where id = ${webhook_id}`.execute(transaction);
  });
}

/** The milliseconds until a delivery is due; null while none waits. */
export async function untilNextDelivery(database: Database): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    with recursive ${RECEIVERS_IN_USE}
    select (extract(epoch from min(due.at) - now()) * 1000)::double precision as ms from waiting w
    cross join lateral (
      select min(d.next_attempt_at) as at from webhook_deliveries d where d.webhook_id = w.webhook_id and d.state = 'pending'
    ) due`.execute(database.kysely);
  return rows[0]?.ms ?? null;
}

/** Deletes what was over a month ago. */
export async function pruneDeliveries(database: Database): Promise<void> {
  await sql`delete from webhook_deliveries where state <> 'pending' and created_at < now() - ${KEPT}`.execute(
    database.kysely,
  );
}

/** Queues a delivery for each webhook of whoever made the order, in the transaction that decides something for it. */
export async function enqueueWebhooks(transaction: Transaction<Schema>, orderId: string): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, order_id, type, next_attempt_at)
    select w.id, p.order_id, 'order.updated', coalesce(
      (select max(e.next_attempt_at) from webhook_deliveries e
        where e.order_id = p.order_id and ${sameWebhook("e.webhook_id", sql.ref("w.id"))} and e.state = 'pending'), now())
    from partner_orders p join webhooks w on w.user_id = p.user_id where p.order_id = ${orderId}`.execute(transaction);
}
