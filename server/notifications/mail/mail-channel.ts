import type { Courier } from "../channel.ts";
import type { Mailer } from "../port.ts";
import { writeMail, type Desktop } from "./templates.ts";

/** Mails to the order's own address. */
export const mailCourier =
  (mailer: Mailer, desktop: Desktop): Courier =>
  async (message, { id, order_id: orderId, reference, locale, user_email: email }, signal) => {
    if (email === null) return { kind: "refused", isFinal: true, reason: "the order has no email" };
    return mailer.send(writeMail(message, { rowId: id, orderId, reference, locale, email }, desktop), signal);
  };
