import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import type { EnqueueMessages, OrderMessage } from "../../notifications/port.ts";

/** How many mails about orders that nobody paid a recipient gets and a client causes in a day; null: any number. */
export type FirstMailLimits = { perRecipient: number; perClient: number } | null;

/** Of the mails that a network's clients cause together. */
const NETWORK_CLIENTS = 4;

/**
 * Queues an order's first mail, after its row has the email. Anyone can name another person's address, so beyond the limits the order is
 * silent until it is paid.
 */
export async function enqueueFirstMail(
  { enqueueMessages, firstMails }: { enqueueMessages: EnqueueMessages; firstMails: FirstMailLimits },
  transaction: Transaction<Schema>,
  orderId: string,
  message: OrderMessage,
): Promise<void> {
  if (firstMails !== null && (await isOverLimit(transaction, orderId, firstMails))) return;
  await enqueueMessages(transaction, { orderId, channels: ["mail"] }, [message]);
}

async function isOverLimit(
  transaction: Transaction<Schema>,
  orderId: string,
  { perRecipient, perClient }: NonNullable<FirstMailLimits>,
): Promise<boolean> {
  // Those for one recipient are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtext('first_mail'), hashtext(mail_recipient(user_email)))
    from orders where id = ${orderId}`.execute(transaction);
  const mailed = sql`from orders o where o.user_email is not null and o.state in ('awaiting_deposit', 'expired')
    and o.email_set_at > this.email_set_at - interval '24 hours'`;
  const { rows } = await sql<{ is_over: boolean }>`
    select (select count(*) ${mailed} and mail_recipient(o.user_email) = mail_recipient(this.user_email)) > ${perRecipient}
      or (select count(*) ${mailed} and o.client_key = this.client_key) > ${perClient}
      or (select count(*) ${mailed} and o.client_network = this.client_network) > ${perClient * NETWORK_CLIENTS} as is_over
    from orders this where this.id = ${orderId} and this.state in ('awaiting_deposit', 'expired')`.execute(transaction);
  return rows[0]?.is_over === true;
}
