import { sql } from "kysely";
import { randomHex } from "../../base/secrets.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import type { ListedMail, Mail, Mailer } from "../port.ts";

const MAX_LISTED = 200;

/** The sandbox's mailbox, a table that every process shares: a mail that is sent twice is stored once. */
export function createSandboxMailer(database: Database): Mailer {
  return {
    async send(mail) {
      await store(database, mail);
      return { kind: "accepted" };
    },
  };
}

/** What others than us mail in the sandbox: it goes nowhere but into its mailbox. */
export const sandboxMailer =
  (database: Database) =>
  async (to: string, subject: string, text: string): Promise<void> => {
    await store(database, { messageId: randomHex(16), orderId: null, locale: "en", to, subject, text, html: "" });
  };

/** Also stores in the sandbox's mailbox what is really sent. */
export function withSandboxCopy(mailer: Mailer, database: Database, log: Log): Mailer {
  return {
    async send(mail, signal) {
      const result = await mailer.send(mail, signal);
      if (result.kind !== "accepted") return result;
      try {
        await store(database, mail);
      } catch (error) {
        log.warn({ err: error, orderId: mail.orderId }, "a mail was sent and is missing in the sandbox's mailbox");
      }
      return result;
    },
  };
}

/** Sent mail, newest first (contract §7). */
export async function listSandboxMail(database: Database): Promise<ListedMail[]> {
  const rows = await database.kysely
    .selectFrom("sandbox_mails")
    .selectAll()
    .orderBy("id", "desc")
    .limit(MAX_LISTED)
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

async function store(database: Database, mail: Mail): Promise<void> {
  await sql`
    insert into sandbox_mails (message_id, order_id, recipient, subject, text, html, locale)
    values (${mail.messageId}, ${mail.orderId}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${mail.locale})
    on conflict (message_id) do nothing`.execute(database.kysely);
}
