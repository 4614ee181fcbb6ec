import { sql, type Kysely } from "kysely";
import type { OrderLocale } from "#contract/order.ts";
import { fixedT } from "../base/i18n.ts";
import { normalisedCode, randomCode } from "../base/mailed-code.ts";
import { hashPassword } from "../base/password-hash.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { MessageText } from "./message-text.ts";

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
  "account_deleted",
] as const;
export type AccountTopic = (typeof ACCOUNT_TOPICS)[number];

/** `sourceKey` names what caused it: the same again is mailed once. */
export type AccountMail = { userId: bigint; recipient: string; topic: AccountTopic; sourceKey: string };

/** Stores a mail about an account in the transaction that caused it. */
export async function enqueueAccountMail(db: Kysely<Schema>, mail: AccountMail): Promise<void> {
  await db
    .insertInto("outbox")
    .values({
      channel: "mail",
      order_id: null,
      user_id: mail.userId,
      recipient: mail.recipient,
      topic: mail.topic,
      source_key: `${mail.userId} ${mail.sourceKey}`,
      payload: "{}",
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const CODE_LENGTH = 8;
const CODE_TRIES = 5;
/** contract §8 */
const CODE_MINUTES = 30;

const PURPOSES = { password_reset: "password_reset", email_change: "email_change" } as const;

/** Made when its mail is sent, so that no row ever holds it. */
async function issueCode(
  { kysely }: Pick<Database, "kysely">,
  mail: { userId: bigint; recipient: string; purpose: keyof typeof PURPOSES },
): Promise<string> {
  const code = randomCode(CODE_LENGTH);
  const row = { code_hash: await hashPassword(normalisedCode(code)), email: mail.recipient, tries_left: CODE_TRIES };
  await kysely
    .insertInto("mailed_codes")
    .values({ user_id: mail.userId, purpose: mail.purpose, ...row })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "purpose"]).doUpdateSet({ ...row, created_at: sql<Date>`now()` }),
    )
    .execute();
  return code;
}

/** The text of a mail about an account. */
export async function accountText(
  database: Pick<Database, "kysely">,
  { userId, recipient, topic, locale }: { userId: bigint; recipient: string; topic: AccountTopic; locale: OrderLocale },
  publicUrl: string,
): Promise<MessageText> {
  const t = fixedT(locale, "mail");
  const purpose = topic === "password_reset" || topic === "email_change" ? PURPOSES[topic] : null;
  const code = purpose === null ? null : await issueCode(database, { userId, recipient, purpose });
  return {
    subject: t(`account.subject.${topic}`),
    paragraphs: [
      t(`account.text.${topic}`),
      ...(code === null ? [] : [t("account.code", { code, minutes: CODE_MINUTES }), t("account.not_you")]),
    ],
    links: [{ href: new URL(locale === "en" ? "/" : `/${locale}`, publicUrl).href, label: t("account.open") }],
  };
}
