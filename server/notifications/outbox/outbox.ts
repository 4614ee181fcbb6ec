import { sql, type Transaction } from "kysely";
import * as z from "zod";
import { ORDER_LOCALES } from "#contract/order.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { CHANNELS, type Channel, type Outcome, type TellOwner } from "../port.ts";
import type { Topic } from "../message.ts";

/** What is told so late would only confuse. */
const MOST_HOURS = 24;
/** One repetition of a mail whose outcome is unknown, and no more. */
const MOST_DOUBTS = 2;
/** With the pauses below about ten hours of trying. */
export const MOST_ATTEMPTS = 20;
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 3600;

const rowSchema = z.object({
  id: z.string(),
  channel: z.enum(CHANNELS),
  order_id: z.string(),
  topic: z.string(),
  source_key: z.string(),
  payload: z.record(z.string(), z.unknown()),
  attempts: z.int(),
  doubts: z.int(),
  is_late: z.boolean(),
  order_state: z.string(),
  reference: z.string(),
  user_email: z.string().nullable(),
  telegram_id: z.string().nullable(),
  locale: z.enum(ORDER_LOCALES),
  /** Of a push; null once it was withdrawn. */
  subscription: z
    .object({
      id: z.string(),
      endpoint: z.string(),
      p256dh: z.string(),
      auth: z.string(),
      locale: z.enum(ORDER_LOCALES),
    })
    .nullable(),
  /** Whether the same browser is to be told something later of the same order. */
  has_later: z.boolean(),
});
export type OutboxRow = z.infer<typeof rowSchema>;

/** Other than by mail only what happens to the order later: who makes it has its page open. */
const TOLD_LATER: ReadonlySet<Topic> = new Set<Topic>([
  "deposit_seen",
  "choice_needed",
  "under_minimum",
  "over_maximum",
  "payout_completed",
  "refund_completed",
]);

const isTold = (channel: Channel, topic: Topic): boolean => channel === "mail" || TOLD_LATER.has(topic);

export const tellOwner: TellOwner = async (transaction, { orderId, channels }, messages) => {
  const told = channels.flatMap((channel) =>
    messages
      .filter(({ topic }) => isTold(channel, topic))
      .map(({ topic, sourceKey, ...payload }) => ({
        channel,
        order_id: orderId,
        topic,
        source_key: sourceKey,
        payload: JSON.stringify(payload),
      })),
  );
  const browsers = told.some(({ channel }) => channel === "push") ? await browsersOf(transaction, orderId) : [];
  const rows = told.flatMap((row) =>
    row.channel === "push" ? browsers.map((subscription_id) => ({ ...row, subscription_id })) : [row],
  );
  if (rows.length === 0) return;
  await transaction
    .insertInto("outbox")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["channel", "order_id", "topic", "source_key", "subscription_id"]).doNothing(),
    )
    .execute();
};

async function browsersOf(transaction: Transaction<Schema>, orderId: string): Promise<bigint[]> {
  const subscribed = transaction.selectFrom("push_subscriptions").select("id").where("order_id", "=", orderId);
  return (await subscribed.execute()).map(({ id }) => id);
}

/**
 * Takes rows of these channels that are due and leases them. From here on each counts as a sending whose outcome is unknown, until `recordOutcome` says
 * otherwise: a process that dies in between leaves the doubt behind.
 */
export async function claimRows(
  database: Database,
  channels: readonly Channel[],
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<OutboxRow[]> {
  const { rows } = await sql`
    with due as (
      select id, order_id, subscription_id from outbox
      where state = 'pending' and channel = any(${channels}) and next_attempt_at <= now()
      order by next_attempt_at limit ${limit} for update skip locked
    )
    update outbox o set attempts = o.attempts + 1, doubts = o.doubts + 1,
      next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from due join orders on orders.id = due.order_id left join users on users.id = orders.user_id
      left join push_subscriptions s on s.id = due.subscription_id
    where o.id = due.id
    returning o.id::text as id, o.channel, o.order_id, o.topic, o.source_key, o.payload, o.attempts, o.doubts,
      o.created_at < now() - make_interval(hours => ${MOST_HOURS}) as is_late,
      orders.state as order_state, orders.reference, orders.user_email, users.telegram_id::text as telegram_id, orders.locale,
      case when s.id is not null then jsonb_build_object(
        'id', s.id::text, 'endpoint', s.endpoint, 'p256dh', s.p256dh, 'auth', s.auth, 'locale', s.locale
      ) end as subscription,
      exists (
        select from outbox later
        where later.channel = 'push' and later.order_id = o.order_id and later.subscription_id = o.subscription_id and later.id > o.id
      ) as has_later`.execute(database.kysely);
  return z.array(rowSchema).parse(rows);
}

/** Why a claimed row is not to be sent any more; null when it is. */
export function hopeless({ doubts, is_late }: OutboxRow): string | null {
  if (doubts > MOST_DOUBTS) return "sent twice without a certain outcome";
  return is_late ? "too late to be told" : null;
}

/** What is only true while the order waits for its owner. */
const WAITS: Record<string, string> = {
  choice_needed: "awaiting_choice",
  under_minimum: "confirming",
  over_maximum: "confirming",
};

/**
 * True when the order has gone on since: the owner is not asked for what is done, and a browser, which shows the last notice of an order
 * alone, is not told an older one.
 */
export function isOvertaken({ topic, order_state: state, has_later }: OutboxRow): boolean {
  const wait = WAITS[topic];
  return has_later || (wait !== undefined && wait !== state);
}

/** Records what became of a claimed row. False where another claim has followed: its own outcome counts then. */
export async function recordOutcome(database: Database, row: OutboxRow, outcome: Outcome): Promise<boolean> {
  const mine = database.kysely.updateTable("outbox").where("id", "=", BigInt(row.id)).where("state", "=", "pending");
  // What was accepted is sent, whoever has claimed the row since.
  if (outcome.kind === "accepted") {
    const { numUpdatedRows } = await mine
      .set({ state: "sent", sent_at: sql<Date>`now()`, next_attempt_at: null, last_failure: null, doubts: 0 })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  const doubts = outcome.kind === "refused" ? row.doubts - 1 : row.doubts;
  const asked = outcome.kind === "refused" ? (outcome.retryAfterSeconds ?? 0) : 0;
  const pause = Math.max(pauseSeconds(row.attempts), Math.min(asked, LONGEST_PAUSE_SECONDS));
  const { numUpdatedRows } = await mine
    .set({
      doubts,
      last_failure: outcome.reason,
      ...(isLast(row, outcome)
        ? { state: "dead" as const, next_attempt_at: null }
        : { next_attempt_at: sql<Date>`now() + make_interval(secs => ${pause})` }),
    })
    .where("attempts", "=", row.attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** True when a row with this outcome is not tried again. */
export function isLast({ attempts, doubts }: OutboxRow, outcome: Outcome): boolean {
  if (outcome.kind === "refused") return outcome.isFinal || attempts >= MOST_ATTEMPTS;
  return outcome.kind === "accepted" || attempts >= MOST_ATTEMPTS || doubts >= MOST_DOUBTS;
}

/** Seconds until the next attempt: doubled each time, up to an hour, and spread so that not all come at once. */
export function pauseSeconds(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (attempts - 1));
  return whole * (0.5 + random() / 2);
}
