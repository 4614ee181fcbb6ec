import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import type { AccountTopic } from "./account-mails.ts";

/** How many mails that anybody can ask for a mailbox gets and a client causes in 24 hours; null: any number. */
export type AccountMailLimits = { readonly perRecipient: number; readonly perClient: number } | null;

/** Why a mail beyond its limits is not sent. */
export const OVER_LIMIT = "over the limits of mails about accounts";

/** Of the mails that a network's clients cause together. */
const NETWORK_CLIENTS = 4;

/**
 * Each kind is counted apart, so that none uses up another: what anybody can have sent to any mailbox; codes for a new password, which
 * owners need while a stranger asks for them; notices, which need a session. The last two are so many times the first.
 */
const KINDS: Partial<Record<AccountTopic, "request" | "reset">> = {
  welcome: "request",
  email_change: "request",
  failed_sign_ins: "request",
  password_reset: "reset",
};
/** An operator or a chain decided, or it takes an amount of its own, and there are few withdrawals a day: nobody can flood with them. */
const UNCOUNTED: ReadonlySet<AccountTopic> = new Set([
  "withdrawal_requested",
  "withdrawal_in_review",
  "withdrawal_approved",
  "withdrawal_rejected",
  "withdrawal_paid",
  "withdrawal_failed",
  "earning_approved",
  "earning_rejected",
  "wallet_debited",
  "verification_passed",
  "verification_rejected",
]);
const TIMES = { request: 1, reset: 4, notice: 4 };

/** Counts a mail before it is sent, once however often it is tried; false where it is one too many for its mailbox, client or network. */
export async function countAccountMail(
  database: Database,
  { id, topic }: { id: string; topic: AccountTopic },
  limits: NonNullable<AccountMailLimits>,
): Promise<boolean> {
  if (UNCOUNTED.has(topic)) return true;
  const kind = KINDS[topic] ?? "notice";
  const perRecipient = limits.perRecipient * TIMES[kind];
  const perClient = limits.perClient * TIMES[kind];
  return inTransaction(database, async (transaction) => {
    // One after the other: each sees those before it.
    await sql`select pg_advisory_xact_lock(hashtext('account_mail_counts'))`.execute(transaction);
    await sql`delete from account_mail_counts where counted_at < now() - interval '24 hours'`.execute(transaction);
    const others = sql`select count(*) from account_mail_counts c where c.kind = ${kind} and c.outbox_id <> this.id and`;
    const { rows } = await sql`
      insert into account_mail_counts (outbox_id, kind, recipient_hash, client_hash, network_hash)
      select this.id, ${kind}, this.recipient_hash, this.client_hash, this.network_hash from (
        select id, sha256(convert_to(mail_recipient(recipient), 'UTF8')) as recipient_hash, client_hash, network_hash
        from outbox where id = ${id}::bigint
      ) this
      where (${others} c.recipient_hash = this.recipient_hash) < ${perRecipient}
        and (${others} c.client_hash = this.client_hash) < ${perClient}
        and (${others} c.network_hash = this.network_hash) < ${perClient * NETWORK_CLIENTS}
      on conflict (outbox_id) do update set kind = excluded.kind
      returning outbox_id`.execute(transaction);
    return rows.length > 0;
  });
}
