import { sha256 } from "../../base/secrets.ts";
import { fixedT } from "../../base/i18n.ts";
import { messageText, unconfirmedText, type MessageContext, type OrderRef } from "../message-text.ts";
import type { OrderMessage } from "../message.ts";
import type { Channel } from "../outbox.ts";
import type { Mail, Mailer } from "../port.ts";
import { bodiesOf } from "./mail-body.ts";

/** Sends to the email address of the order. */
export const createMailChannel =
  (mailer: Mailer, context: MessageContext): Channel =>
  async (message, row, signal) => {
    const { id: rowId, order_id: orderId, reference, locale, user_email: email, is_email_confirmed: isConfirmed } = row;
    if (email === null) return { kind: "refused", isFinal: true, reason: "the order has no email" };
    return mailer.send(writeMail(message, { rowId, orderId, reference, locale, email, isConfirmed }, context), signal);
  };

/** An address is confirmed that came with the order's destination address (contract §3). */
type MailRecipient = OrderRef & { rowId: string; email: string; isConfirmed: boolean };

/**
 * The mail of one message, as plain text and as HTML with the same texts.
 *
 * @internal Exported for its tests.
 */
export function writeMail(message: OrderMessage, to: MailRecipient, context: MessageContext): Mail {
  const content = to.isConfirmed ? messageText(message, to, context) : unconfirmedText(message, to);
  const footer = fixedT(to.locale, "mail")("footer", { reference: to.reference });
  return {
    messageId: messageIdOf(to, context),
    orderId: to.orderId,
    locale: to.locale,
    to: to.email,
    subject: content.subject,
    ...bodiesOf(to.locale, content, footer),
  };
}

/** The same for every copy of one row. It discloses nothing: an order's id opens the order. */
function messageIdOf({ rowId, orderId }: MailRecipient, { publicUrl }: MessageContext): string {
  const digest = sha256(`${orderId}:${rowId}`).toString("hex").slice(0, 32);
  return `<${digest}@${new URL(publicUrl).hostname}>`;
}
