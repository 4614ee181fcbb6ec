import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../base/log.ts";
import type { ListedMail, Mail, Mailer } from "../port.ts";

const MOST_LISTED = 200;

/** The sandbox's letter box, a table that every process shares: a mail that comes twice lies in it once. */
export function createSandboxMailer(database: Database): Mailer {
  return {
    async send(mail) {
      await keep(database, mail);
      return { kind: "accepted" };
    },
  };
}

/** Also lists in the sandbox what really goes out. */
export function withSandboxCopy(mailer: Mailer, database: Database, log: Log): Mailer {
  return {
    async send(mail, signal) {
      const outcome = await mailer.send(mail, signal);
      if (outcome.kind !== "accepted") return outcome;
      try {
        await keep(database, mail);
      } catch (error) {
        log.warn({ err: error, orderId: mail.orderId }, "a mail went out and is missing in the sandbox's list");
      }
      return outcome;
    },
  };
}

/** What was mailed, newest first (contract §7). */
export async function listSandboxMail(database: Database): Promise<ListedMail[]> {
  const rows = await database.kysely
    .selectFrom("sandbox_mails")
    .selectAll()
    .orderBy("id", "desc")
    .limit(MOST_LISTED)
    .execute();
  return rows.map(({ recipient, subject, text, html, locale, order_id, at }) => ({
    to: recipient,
    subject,
    text,
    html,
    locale,
    orderId: order_id,
    at: at.toISOString(),
  }));
}

async function keep(database: Database, mail: Mail): Promise<void> {
  await sql`
    insert into sandbox_mails (message_id, order_id, recipient, subject, text, html, locale)
    values (${mail.messageId}, ${mail.orderId}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${mail.locale})
    on conflict (message_id) do nothing`.execute(database.kysely);
}
