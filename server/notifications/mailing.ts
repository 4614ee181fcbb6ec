import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../log.ts";
import { startLoop } from "../loop.ts";
import { createSmtpMailer } from "./mailer.ts";
import { sweepOutbox } from "./outbox-sweeper.ts";
import type { Mailer } from "./port.ts";
import { createSandboxMailer, withSandboxCopy } from "./sandbox-mail.ts";
import { readSmtpUrl } from "./smtp-url.ts";

const TURN_EVERY_MS = 1_000;
/** What is still being sent when the process stops gets this long. */
const STOP_AFTER_MS = 3_000;

export type MailingParts = {
  database: Database;
  catalogue: Pick<Catalogue, "instruments">;
  config: { smtpUrl: string | null; sandbox: boolean; publicUrl: string };
  log: Log;
};

export type Mailing = {
  /** Lets what is being sent end, for a moment. */
  stop(): Promise<void>;
};

/** Sends what the outbox holds until it is stopped; null when there is nowhere to send to. Throws for a wrong SMTP_URL. */
export function startMailing(parts: MailingParts): Mailing | null {
  const { database, catalogue, config, log } = parts;
  const mailer = mailerOf(parts);
  if (mailer === null) {
    log.warn("SMTP_URL is not set: customers get no mail");
    return null;
  }
  const desktop = {
    publicUrl: config.publicUrl,
    nameOf: (slug: string) => {
      const instrument = catalogue.instruments.get(slug);
      return { ticker: instrument?.currencyTitle ?? slug, network: instrument?.networkFriendlyTitle ?? slug };
    },
  };
  const stopping = new AbortController();
  const loop = startLoop(
    "mail",
    TURN_EVERY_MS,
    () => sweepOutbox({ database, mailer, desktop, log }, stopping.signal),
    log,
  );
  return {
    stop: async () => {
      const timer = setTimeout(() => stopping.abort(), STOP_AFTER_MS);
      await loop.stop();
      clearTimeout(timer);
    },
  };
}

function mailerOf({ database, config, log }: MailingParts): Mailer | null {
  if (config.smtpUrl === null) return config.sandbox ? createSandboxMailer(database) : null;
  const mailer = createSmtpMailer(readSmtpUrl(config.smtpUrl, config.publicUrl));
  return config.sandbox ? withSandboxCopy(mailer, database, log) : mailer;
}
