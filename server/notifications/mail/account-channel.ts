import { createHash } from "node:crypto";
import { fixedT } from "../../base/i18n.ts";
import type { Database } from "../../db/database.ts";
import { accountText } from "../account-mails.ts";
import type { AccountMailRow } from "../outbox/outbox.ts";
import type { DeliveryResult, Mailer } from "../port.ts";
import { bodiesOf } from "./mail-body.ts";

/** Sends one mail about an account. */
export type AccountMailChannel = (row: AccountMailRow, signal: AbortSignal) => Promise<DeliveryResult>;

export const createAccountMailChannel =
  (mailer: Mailer, database: Database, publicUrl: string): AccountMailChannel =>
  async ({ id, user_id: userId, recipient, topic, locale }, signal) => {
    const content = await accountText(database, { userId: BigInt(userId), recipient, topic, locale }, publicUrl);
    const digest = createHash("sha256").update(`account ${userId}:${id}`).digest("hex").slice(0, 32);
    return mailer.send(
      {
        messageId: `<${digest}@${new URL(publicUrl).hostname}>`,
        orderId: null,
        locale,
        to: recipient,
        subject: content.subject,
        ...bodiesOf(locale, content, fixedT(locale, "mail")("account.footer")),
      },
      signal,
    );
  };
