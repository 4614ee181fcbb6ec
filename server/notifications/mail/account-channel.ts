import { sha256 } from "../../base/secrets.ts";
import { fixedT } from "../../base/i18n.ts";
import type { Database } from "../../db/database.ts";
import { countAccountMail, OVER_LIMIT, type AccountMailLimits } from "../account-mail-limits.ts";
import { accountText } from "../account-mails.ts";
import type { AccountContext } from "../message-text.ts";
import type { AccountChannel } from "../outbox.ts";
import type { Mailer } from "../port.ts";
import { bodiesOf } from "./mail-body.ts";

/** Sends mails about accounts. */
export const createAccountMailChannel =
  (mailer: Mailer, database: Database, context: AccountContext, limits: AccountMailLimits): AccountChannel =>
  async ({ id, user_id: userId, recipient, topic, locale, payload }, signal) => {
    // Before the text: a code that is not sent must not end the one before it.
    const isWithin = limits === null || (await countAccountMail(database, { id, topic }, limits));
    if (!isWithin) return { kind: "refused", isFinal: true, reason: OVER_LIMIT };
    const message = { id: BigInt(id), userId: BigInt(userId), recipient, topic, locale, payload };
    const content = await accountText(database, message, context);
    if (content === null) return { kind: "refused", isFinal: true, reason: "outdated" };
    const digest = sha256(`account ${userId}:${id}`).toString("hex").slice(0, 32);
    return mailer.send(
      {
        messageId: `<${digest}@${new URL(context.publicUrl).hostname}>`,
        orderId: null,
        locale,
        to: recipient,
        subject: content.subject,
        ...bodiesOf(locale, content, fixedT(locale, "mail")("account.footer")),
      },
      signal,
    );
  };
