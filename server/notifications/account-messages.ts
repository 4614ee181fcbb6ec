import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { AccountTopic } from "./account-mails.ts";
import { IS_LIVE } from "./outbox.ts";

/** `sourceKey` names what caused it: the same again is sent once. Messages about one `subject` are sent in their order. */
export type AccountMessage = {
  userId: bigint;
  topic: AccountTopic;
  subject: string;
  sourceKey: string;
  payload?: Readonly<Record<string, string>>;
};

/**
 * Stores a message to an account in the transaction that caused it: by mail where it has an email, by the bot where it has Telegram, by
 * push in the subscribed browsers where it is signed in.
 */
export async function enqueueAccountMessage(db: Kysely<Schema>, message: AccountMessage): Promise<void> {
  const { userId, topic, subject, sourceKey, payload = {} } = message;
  const user = await db
    .selectFrom("users")
    .select(["email", "telegram_id as telegramId"])
    .where("id", "=", userId)
    .executeTakeFirst();
  const browsers = await db
    .selectFrom("push_subscriptions as s")
    .innerJoin("sessions", "sessions.id", "s.session_id")
    .select("s.id")
    .where("sessions.user_id", "=", userId)
    .where(IS_LIVE)
    .execute();
  const rows = [
    ...(user?.email == null ? [] : [{ channel: "mail" as const, recipient: user.email }]),
    ...(user?.telegramId == null ? [] : [{ channel: "telegram" as const, recipient: user.telegramId.toString() }]),
    ...browsers.map(({ id }) => ({ channel: "push" as const, recipient: `browser ${id}`, subscription_id: id })),
  ].map((to) => ({
    ...to,
    order_id: null,
    user_id: userId,
    topic,
    subject,
    source_key: `${userId} ${sourceKey}`,
    payload: JSON.stringify(payload),
  }));
  if (rows.length === 0) return;
  // A statement's rows have the same columns.
  await db
    .insertInto("outbox")
    .values(rows.map((row) => ({ subscription_id: null, ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
