import type { MessageContext } from "../message-text.ts";
import type { Channel } from "../outbox/outbox.ts";
import type { Mailer } from "../port.ts";
import { writeMail } from "./template.ts";

/** Sends to the email address of the order. */
export const createMailChannel =
  (mailer: Mailer, context: MessageContext): Channel =>
  async (message, { id, order_id: orderId, reference, locale, user_email: email }, signal) => {
    if (email === null) return { kind: "refused", isFinal: true, reason: "the order has no email" };
    return mailer.send(writeMail(message, { rowId: id, orderId, reference, locale, email }, context), signal);
  };
