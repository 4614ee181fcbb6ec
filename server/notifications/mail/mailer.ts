import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import type { Mailer } from "../port.ts";
import { createSandboxMailer, withSandboxCopy } from "./sandbox-mailbox.ts";
import { readSmtpUrl } from "./smtp-url.ts";
import { createSmtpMailer } from "./smtp.ts";

export type MailerParts = {
  database: Database;
  config: { smtpUrl: string | null; sandbox: boolean; publicUrl: string };
  log: Log;
};

/** The configured mail server, in the sandbox its mailbox; null for neither. Throws on an invalid SMTP_URL. */
export function createMailer({ database, config, log }: MailerParts): Mailer | null {
  if (config.smtpUrl === null) return config.sandbox ? createSandboxMailer(database) : null;
  const mailer = createSmtpMailer(readSmtpUrl(config.smtpUrl, config.publicUrl));
  return config.sandbox ? withSandboxCopy(mailer, database, log) : mailer;
}
