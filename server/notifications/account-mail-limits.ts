import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { AccountTopic } from "./account-mails.ts";

/** How many mails that anybody can ask for a mailbox gets and a client causes in 24 hours; null: any number. */
export type AccountMailLimits = { readonly perRecipient: number; readonly perClient: number } | null;

/** Why a mail beyond its limits is not sent. */
export const OVER_LIMIT = "over the limits of mails about accounts";

/** Of the mails that a network's clients cause together. */
const NETWORK_CLIENTS = 4;

type Kind = Schema["account_mail_counts"]["kind"];

/**
 * Each kind is counted apart, so that none uses up another. `times` the numbers of mails about orders are sent, of which one client and one
 * mailbox have this `share`: it takes several clients to use up what a mailbox's owner needs. Notices need a session.
 */
const KINDS: Readonly<Record<Kind, { times: number; share: number }>> = {
  welcome: { times: 1, share: 1 },
  email_change: { times: 1, share: 1 / 2 },
  warning: { times: 1, share: 1 / 2 },
  reset: { times: 4, share: 1 / 4 },
  notice: { times: 4, share: 1 },
};
const KIND_OF: Partial<Record<AccountTopic, Kind>> = {
  welcome: "welcome",
  email_change: "email_change",
  failed_sign_ins: "warning",
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
/**
 * Counts a mail before it is sent, once however often it is tried; false where it is one too many for its mailbox, client or network. Notices
 * and warnings of a mailbox that was proved are counted by account and topic: neither other accounts nor other topics keep them from its owner.
 */
export async function countAccountMail(
  database: Database,
  { id, topic }: { id: string; topic: AccountTopic },
  limits: NonNullable<AccountMailLimits>,
): Promise<boolean> {
  if (UNCOUNTED.has(topic)) return true;
  const kind = KIND_OF[topic] ?? "notice";
  const { times, share } = KINDS[kind];
  const perRecipient = limits.perRecipient * times;
  const perClient = limits.perClient * times;
  const ofClient = Math.ceil(perRecipient * share);
  const ofNetwork = Math.ceil((perRecipient * (1 + share)) / 2);
  const isOfAccount = kind === "notice" || kind === "warning";
  return inTransaction(database, async (transaction) => {
    // Serialised, so that each counts those before it.
    await sql`select pg_advisory_xact_lock(hashtext('account_mail_counts'))`.execute(transaction);
    await sql`delete from account_mail_counts where counted_at < now() - interval '24 hours'`.execute(transaction);
    const others = sql`select count(*) from account_mail_counts c where c.kind = ${kind} and c.outbox_id <> this.id and`;
    const toThis = sql`c.recipient_hash = this.recipient_hash`;
    const { rows } = await sql`
      insert into account_mail_counts (outbox_id, kind, recipient_hash, client_hash, network_hash)
      select this.id, ${kind}, this.recipient_hash, this.client_hash, this.network_hash from (
        select m.id, m.client_hash, m.network_hash, sha256(convert_to(case
          when ${isOfAccount} and (m.payload->'isProved' = 'true' or (u.email = m.recipient and u.email_confirmed_at is not null))
            then 'account ' || m.user_id || ' ' || m.topic
          else mail_recipient(m.recipient) end, 'UTF8')) as recipient_hash
        from outbox m join users u on u.id = m.user_id where m.id = ${id}::bigint
      ) this
      where (${others} ${toThis}) < ${perRecipient}
        and (${others} ${toThis} and c.client_hash = this.client_hash) < ${ofClient}
        and (${others} ${toThis} and c.network_hash = this.network_hash) < ${ofNetwork}
        and (${others} c.client_hash = this.client_hash) < ${perClient}
        and (${others} c.network_hash = this.network_hash) < ${perClient * NETWORK_CLIENTS}
      on conflict (outbox_id) do update set kind = excluded.kind
      returning outbox_id`.execute(transaction);
    return rows.length > 0;
  });
}
