import { sql, type Transaction } from "kysely";
import * as z from "zod";
import { LOCALES } from "#contract/locale.ts";
import { MAX_RETRY_PAUSE_SECONDS, retryPauseSeconds } from "../base/outbound/retry-pause.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { ACCOUNT_TOPICS } from "./account-mails.ts";
import { isMailOnly, type OrderMessage } from "./message.ts";
import { CHANNEL_NAMES, type ChannelName, type DeliveryResult, type EnqueueMessages } from "./port.ts";

/** Older messages would only confuse. */
const MAX_AGE_HOURS = 24;
/** A message whose result is unknown is repeated once, and no more. */
const MAX_UNKNOWN_RESULTS = 2;
/** About ten hours of attempts with pauses that grow to an hour. */
const MAX_ATTEMPTS = 20;

const sendingSchema = z.object({
  id: z.string(),
  attempts: z.int(),
  unknown_results: z.int(),
  is_late: z.boolean(),
  locale: z.enum(LOCALES),
});
const subscriptionSchema = z
  .object({
    id: z.string(),
    endpoint: z.string(),
    p256dh: z.string(),
    auth: z.string(),
    locale: z.enum(LOCALES),
  })
  .nullable();
const rowSchema = sendingSchema.extend({
  channel: z.enum(CHANNEL_NAMES),
  order_id: z.string(),
  topic: z.string(),
  source_key: z.string(),
  payload: z.record(z.string(), z.unknown()),
  order_state: z.string(),
  reference: z.string(),
  user_email: z.string().nullable(),
  is_email_confirmed: z.boolean(),
  telegram_id: z.string().nullable(),
  /** Of a push; null once it was deleted. */
  subscription: subscriptionSchema,
  /** Whether a later push of the same order goes to the same browser. */
  has_later: z.boolean(),
});
/** @internal Exported for its tests. */
export type OutboxRow = z.infer<typeof rowSchema>;

const accountRowSchema = sendingSchema.extend({
  channel: z.enum(CHANNEL_NAMES),
  order_id: z.null(),
  user_id: z.string(),
  recipient: z.string(),
  topic: z.enum(ACCOUNT_TOPICS),
  subject: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
  /** Of a push; null once its session has ended. */
  subscription: subscriptionSchema,
});
/** A message to an account, not about an order. */
type AccountRow = z.infer<typeof accountRowSchema>;
export type AnyRow = OutboxRow | AccountRow;
type Sending = z.infer<typeof sendingSchema>;

/** Sends one message. A failed delivery is a result; an exception counts as a message that could not be written. */
export type Channel = (message: OrderMessage, row: OutboxRow, signal: AbortSignal) => Promise<DeliveryResult>;

/** The same for a message to an account. */
export type AccountChannel = (row: AccountRow, signal: AbortSignal) => Promise<DeliveryResult>;

/** Writes a row for each message and channel, for a push one for each browser, in the transaction that decides what they say. */
export const enqueueMessages: EnqueueMessages = async (transaction, { orderId, channels }, messages) => {
  const entries = channels.flatMap((channel) =>
    messages
      .filter(({ topic }) => channel === "mail" || !isMailOnly(topic))
      .map(({ topic, sourceKey, ...payload }) => ({
        channel,
        order_id: orderId,
        topic,
        source_key: sourceKey,
        payload: JSON.stringify(payload),
      })),
  );
  const has = (channel: ChannelName) => entries.some((entry) => entry.channel === channel);
  const browsers = has("push") ? await subscriptionsOf(transaction, orderId) : [];
  const isLinked = has("telegram") && (await isLinkedWithTelegram(transaction, orderId));
  const rows = entries.flatMap((row) => {
    if (row.channel === "push") return browsers.map((subscription_id) => ({ ...row, subscription_id }));
    return row.channel === "telegram" && !isLinked ? [] : [row];
  });
  if (rows.length === 0) return;
  await transaction
    .insertInto("outbox")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["channel", "order_id", "topic", "source_key", "subscription_id"]).doNothing(),
    )
    .execute();
};

/** What is stored for nobody would wait for ever. */
async function isLinkedWithTelegram(transaction: Transaction<Schema>, orderId: string): Promise<boolean> {
  const linked = await transaction
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select("users.id")
    .where("orders.id", "=", orderId)
    .where("users.telegram_id", "is not", null)
    .executeTakeFirst();
  return linked !== undefined;
}

async function subscriptionsOf(transaction: Transaction<Schema>, orderId: string): Promise<bigint[]> {
  const subscribed = transaction.selectFrom("push_subscriptions").select("id").where("order_id", "=", orderId);
  return (await subscribed.execute()).map(({ id }) => id);
}

/** The milliseconds until the first message of these channels is due; null while none waits. */
export async function untilNextMessage(database: Database, channels: readonly ChannelName[]): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(next_attempt_at) - now()) * 1000)::double precision as ms from outbox
    where state = 'pending' and channel = any(${channels}) and not ${WAITS_FOR_EARLIER}`.execute(database.kysely);
  return rows[0]?.ms ?? null;
}

/** An earlier message about the same subject is not sent yet, and may be waiting for another try. */
const WAITS_FOR_EARLIER = sql`(outbox.subject is not null and exists (
  select from outbox earlier
  where earlier.user_id = outbox.user_id and earlier.subject = outbox.subject and earlier.channel = outbox.channel
    and earlier.subscription_id is not distinct from outbox.subscription_id and earlier.state = 'pending' and earlier.id < outbox.id
))`;

/** Whoever has signed out, on a device that others use too, gets no message there any more. */
export const IS_LIVE = sql<boolean>`(sessions.ended_at is null and sessions.expires_at > now())`;

/**
 * Leases due rows of these channels. Each counts as a delivery with an unknown result until `recordResult` stores another, so that a
 * process that dies in between leaves that count behind.
 */
export async function leaseRows(
  database: Database,
  channels: readonly ChannelName[],
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<AnyRow[]> {
  const { rows } = await sql`
    with due as (
      select id, order_id, user_id, subscription_id from outbox
      where state = 'pending' and channel = any(${channels}) and next_attempt_at <= now() and not ${WAITS_FOR_EARLIER}
      order by next_attempt_at limit ${limit} for update skip locked
    )
    update outbox o set attempts = o.attempts + 1, unknown_results = o.unknown_results + 1,
      next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from due left join orders on orders.id = due.order_id left join users on users.id = coalesce(orders.user_id, due.user_id)
      left join (push_subscriptions s left join sessions on sessions.id = s.session_id)
        on s.id = due.subscription_id and (s.session_id is null or ${IS_LIVE})
    where o.id = due.id
    returning o.id::text as id, o.channel, o.order_id, o.user_id::text as user_id, o.recipient, o.topic, o.subject, o.source_key, o.payload, o.attempts, o.unknown_results,
      o.created_at < now() - make_interval(hours => ${MAX_AGE_HOURS}) as is_late,
      orders.state as order_state, orders.reference, orders.user_email, orders.is_email_confirmed, users.telegram_id::text as telegram_id, coalesce(orders.locale, users.locale) as locale,
      case when s.id is not null then jsonb_build_object(
        'id', s.id::text, 'endpoint', s.endpoint, 'p256dh', s.p256dh, 'auth', s.auth, 'locale', s.locale
      ) end as subscription,
      exists (
        select from outbox later
        where later.channel = 'push' and later.order_id = o.order_id and later.subscription_id = o.subscription_id and later.id > o.id
      ) as has_later`.execute(database.kysely);
  return z.array(z.union([accountRowSchema, rowSchema])).parse(rows);
}

/** Gives messages up that are older than a day, of channels that this process doesn't have: nobody has sent them. Returns their number. */
export async function abandonUnsendable(database: Database, channels: readonly ChannelName[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update outbox set state = 'dead', next_attempt_at = null, last_failure = 'no worker has the channel'
    where state = 'pending' and channel = any(${CHANNEL_NAMES.filter((name) => !channels.includes(name))})
      and created_at < now() - make_interval(hours => ${MAX_AGE_HOURS})`.execute(database.kysely);
  return Number(numAffectedRows);
}

/** Why a leased row is not sent any more; null when it is. */
export function reasonToDrop({ unknown_results, is_late }: Sending): string | null {
  if (unknown_results > MAX_UNKNOWN_RESULTS) return "sent twice without a known result";
  return is_late ? "older than a day" : null;
}

/** Messages that are true only while the order is in this state. */
const EXPECTED_STATES: Record<string, string> = {
  choice_needed: "awaiting_choice",
  under_minimum: "confirming",
  over_maximum: "confirming",
  refund_delayed: "refund_requested",
};

/**
 * True when the order has moved on: the customer is not asked for what is done, and a browser, which shows only the last
 * notification of an order, gets no older one.
 */
export function isOutdated(row: AnyRow): boolean {
  if (row.order_id === null) return false;
  const { topic, order_state: state, has_later } = row;
  const wait = EXPECTED_STATES[topic];
  return has_later || (wait !== undefined && wait !== state);
}

/** Stores the result of a leased row. False where another lease has followed: its own result counts then. */
export async function recordResult(database: Database, row: Sending, result: DeliveryResult): Promise<boolean> {
  const mine = database.kysely.updateTable("outbox").where("id", "=", BigInt(row.id)).where("state", "=", "pending");
  // An accepted message is sent, whoever has leased the row since.
  if (result.kind === "accepted") {
    const { numUpdatedRows } = await mine
      .set({ state: "sent", sent_at: sql<Date>`now()`, next_attempt_at: null, last_failure: null, unknown_results: 0 })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  const unknown_results = result.kind === "refused" ? row.unknown_results - 1 : row.unknown_results;
  const asked = result.kind === "refused" ? (result.retryAfterSeconds ?? 0) : 0;
  const pause = Math.max(retryPauseSeconds(row.attempts), Math.min(asked, MAX_RETRY_PAUSE_SECONDS));
  const { numUpdatedRows } = await mine
    .set({
      unknown_results,
      last_failure: result.reason,
      ...(isLastAttempt(row, result)
        ? { state: "dead" as const, next_attempt_at: null }
        : { next_attempt_at: sql<Date>`now() + make_interval(secs => ${pause})` }),
    })
    .where("attempts", "=", row.attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** True when a row with this result is not tried again. */
export function isLastAttempt({ attempts, unknown_results }: Sending, result: DeliveryResult): boolean {
  if (result.kind === "refused") return result.isFinal || attempts >= MAX_ATTEMPTS;
  return result.kind === "accepted" || attempts >= MAX_ATTEMPTS || unknown_results >= MAX_UNKNOWN_RESULTS;
}
