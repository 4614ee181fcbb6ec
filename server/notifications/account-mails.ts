import { sql, type Kysely, type Transaction } from "kysely";
import { REJECT_REASONS } from "#contract/accounts/verification.ts";
import { type Locale, localePath } from "#contract/locale.ts";
import { sha256 } from "../base/secrets.ts";
import { fixedT } from "../base/i18n.ts";
import { CODE_MINUTES, mailedCodeHash, randomCode } from "../base/mailed-code.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { AccountContext, MessageText } from "./message-text.ts";
import { withdrawalDetails } from "./withdrawal-details.ts";

export const ACCOUNT_TOPICS = [
  "welcome",
  "password_reset",
  "password_changed",
  "email_change",
  "email_changed",
  "failed_sign_ins",
  "second_factor_on",
  "second_factor_off",
  "telegram_linked",
  "telegram_unlinked",
  "settings_removed",
  "api_key_created",
  "sessions_ended",
  "admin_granted",
  "admin_revoked",
  "account_deleted",
  "withdrawal_requested",
  "withdrawal_in_review",
  "withdrawal_approved",
  "withdrawal_rejected",
  "withdrawal_paid",
  "withdrawal_failed",
  "monthly_payout_set",
  "monthly_payout_off",
  "earning_approved",
  "earning_rejected",
  "wallet_debited",
  "verification_passed",
  "verification_rejected",
] as const;
export type AccountTopic = (typeof ACCOUNT_TOPICS)[number];

/**
 * `sourceKey` names what caused it: the same again is mailed once. `client`: who caused it without a proof that the account is theirs.
 * `isProved`: somebody had proved that they read this mailbox, which the account's row says no more.
 */
export type AccountMail = {
  userId: bigint;
  recipient: string;
  topic: AccountTopic;
  sourceKey: string;
  client?: { prefix: string; network: string | null };
  isProved?: boolean;
};

/** Stores a mail about an account in the transaction that caused it. */
export async function enqueueAccountMail(db: Kysely<Schema>, mail: AccountMail): Promise<void> {
  await db
    .insertInto("outbox")
    .values({
      channel: "mail",
      order_id: null,
      user_id: mail.userId,
      recipient: mail.recipient,
      client_hash: digestOf(mail.client?.prefix),
      network_hash: digestOf(mail.client?.network),
      topic: mail.topic,
      source_key: `${mail.userId} ${mail.sourceKey}`,
      payload: JSON.stringify(mail.isProved === true ? { isProved: true } : {}),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const digestOf = (name: string | null | undefined): Buffer | null => (name == null ? null : sha256(name));

const CODE_LENGTH = 8;
/** Of all clients together, each of which has five: whoever has two hundred of them guesses one code of a thousand million. */
const CODE_TRIES = 1_000;

const PURPOSES = { password_reset: "password_reset", email_change: "email_change" } as const;

/**
 * Made when its mail is sent, so that no row ever holds it. Null where the mail was cancelled after a worker took it, or its mailbox is not
 * the account's any more: whoever does either holds the user's lock.
 */
async function issueCode(
  database: Database,
  mail: { id: bigint; userId: bigint; recipient: string; purpose: keyof typeof PURPOSES },
): Promise<string | null> {
  const { userId: user_id, recipient: email, purpose } = mail;
  const code = randomCode(CODE_LENGTH);
  const row = { code_hash: await mailedCodeHash(user_id, purpose, code), email, tries_left: CODE_TRIES };
  return inTransaction(database, async (transaction) => {
    const user = await transaction.selectFrom("users").select("email").where("id", "=", user_id).forShare().execute();
    const waiting = await transaction
      .selectFrom("outbox")
      .select("client_hash")
      .where("id", "=", mail.id)
      .where("state", "=", "pending")
      .executeTakeFirst();
    if (waiting === undefined || (purpose === "password_reset" && user[0]?.email !== email)) return null;
    const { client_hash } = waiting;
    // contract §8: a newer code ends the older. Anybody may ask for one for a new password, which therefore ends none that another client asked for.
    await transaction
      .deleteFrom("mailed_codes")
      .where("user_id", "=", user_id)
      .where("purpose", "=", purpose)
      .$if(purpose === "password_reset", (query) =>
        query.where(
          sql<boolean>`(created_at < now() - make_interval(mins => ${CODE_MINUTES}) or client_hash is not distinct from ${client_hash})`,
        ),
      )
      .execute();
    await transaction
      .insertInto("mailed_codes")
      .values({ user_id, purpose, client_hash, ...row })
      .execute();
    return code;
  });
}

/** Ends the codes that were mailed to an account's person, and those that wait to be. The caller holds the user's lock. */
export async function cancelCodes(transaction: Transaction<Schema>, userId: bigint): Promise<void> {
  await transaction.deleteFrom("mailed_codes").where("user_id", "=", userId).execute();
  await transaction
    .deleteFrom("outbox")
    .where("user_id", "=", userId)
    .where("topic", "in", Object.keys(PURPOSES))
    .where("state", "=", "pending")
    .execute();
}

export type AccountTextParts = {
  /** The row of the outbox. */
  id: bigint;
  userId: bigint;
  recipient: string;
  topic: AccountTopic;
  locale: Locale;
  payload: Readonly<Record<string, unknown>>;
};

/** The text of a message to an account; null where it has become untrue. */
export async function accountText(
  database: Database,
  { id, userId, recipient, topic, locale, payload }: AccountTextParts,
  context: AccountContext,
): Promise<MessageText | null> {
  const t = fixedT(locale, "mail");
  const { withdrawalId } = payload;
  const details =
    typeof withdrawalId === "string" ? await withdrawalDetails(database.kysely, withdrawalId, locale, context) : [];
  const purpose = topic === "password_reset" || topic === "email_change" ? PURPOSES[topic] : null;
  const code = purpose === null ? null : await issueCode(database, { id, userId, recipient, purpose });
  if (purpose !== null && code === null) return null;
  return {
    subject: t(`account.subject.${topic}`),
    paragraphs: [
      ...publicParagraphs(topic, locale, payload),
      ...details,
      ...(code === null ? [] : [t("account.code", { code, minutes: CODE_MINUTES }), t("account.not_you")]),
    ],
    links: [{ href: new URL(accountPath(topic, locale), context.publicUrl).href, label: t("account.open") }],
  };
}

/** What a message says without amounts, addresses and codes, as a push service and a locked screen may see it. */
export function publicParagraphs(topic: AccountTopic, locale: Locale, payload: AccountTextParts["payload"]): string[] {
  const t = fixedT(locale, "mail");
  const reason = REJECT_REASONS.find((known) => known === payload["reason"]);
  const isReasoned = topic === "verification_rejected" && reason !== undefined;
  return [t(`account.text.${topic}`), ...(isReasoned ? [t(`account.rejected.${reason}`)] : [])];
}

/** The page that a message opens. */
export function accountPath(topic: AccountTopic, locale: Locale): string {
  if (topic.startsWith("monthly_payout_")) return localePath(locale, "/profile/withdraw");
  if (/^(withdrawal|earning|wallet)_/.test(topic)) return localePath(locale, "/profile/wallet");
  return localePath(locale, topic.startsWith("verification_") ? "/profile/verification" : "/");
}
