import type { Database } from "../db/database.ts";
import type { Log } from "../base/log.ts";
import { repeat, startLoop } from "../base/loop.ts";
import type { PushSender, PushSubscriptions } from "./push/port.ts";
import type { Courier } from "./channel.ts";
import { mailCourier } from "./mail/mail-channel.ts";
import { createSmtpMailer } from "./mail/mailer.ts";
import { pushCourier } from "./push/push-channel.ts";
import { sweepOutbox } from "./outbox/outbox-runner.ts";
import type { Channel, Mailer } from "./port.ts";
import { createSandboxMailer, withSandboxCopy } from "./mail/sandbox-mail.ts";
import { readSmtpUrl } from "./mail/smtp-url.ts";
import { telegramCourier } from "./telegram/telegram-channel.ts";
import type { Desktop } from "./mail/templates.ts";

const TURN_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 60_000;
/** What is still being sent when the process stops gets this long. */
const STOP_AFTER_MS = 3_000;

export type NoticesParts = {
  database: Database;
  catalogue: { instruments: ReadonlyMap<string, { currencyTitle: string; networkFriendlyTitle: string }> };
  config: {
    smtpUrl: string | null;
    telegram: { botToken: string | null; apiUrl: string };
    sandbox: boolean;
    publicUrl: string;
  };
  /** Null: nobody is told by push. */
  push: { sender: PushSender; subscriptions: PushSubscriptions } | null;
  log: Log;
};

export type Notices = {
  /** Lets what is being sent end, for a moment. */
  stop(): Promise<void>;
};

/** Sends what the outbox holds until it is stopped; null when there is nowhere to send to. Throws for a wrong SMTP_URL. */
export function startNotices(parts: NoticesParts): Notices | null {
  const { database, log, push } = parts;
  const couriers = couriersOf(parts);
  if (!couriers.has("mail")) log.warn("SMTP_URL is not set: customers get no mail");
  if (couriers.size === 0) return null;
  const stopping = new AbortController();
  const loop = startLoop(
    "notices",
    TURN_EVERY_MS,
    () => sweepOutbox({ database, couriers, log }, stopping.signal),
    log,
  );
  const pruning = push && repeat("push subscriptions", PRUNE_EVERY_MS, () => push.subscriptions.prune(), log);
  return {
    stop: async () => {
      const timer = setTimeout(() => stopping.abort(), STOP_AFTER_MS);
      await Promise.all([loop.stop(), pruning?.stop()]);
      clearTimeout(timer);
    },
  };
}

function couriersOf(parts: NoticesParts): ReadonlyMap<Channel, Courier> {
  const { catalogue, config, push } = parts;
  const { botToken: token, apiUrl } = config.telegram;
  const mailer = mailerOf(parts);
  const desktop: Desktop = {
    publicUrl: config.publicUrl,
    nameOf: (slug: string) => {
      const instrument = catalogue.instruments.get(slug);
      return { ticker: instrument?.currencyTitle ?? slug, network: instrument?.networkFriendlyTitle ?? slug };
    },
  };
  const couriers = new Map<Channel, Courier>();
  if (mailer !== null) couriers.set("mail", mailCourier(mailer, desktop));
  if (token !== null) couriers.set("telegram", telegramCourier({ token, apiUrl }, desktop));
  if (push !== null) couriers.set("push", pushCourier(push.sender, push.subscriptions));
  return couriers;
}

function mailerOf({ database, config, log }: NoticesParts): Mailer | null {
  if (config.smtpUrl === null) return config.sandbox ? createSandboxMailer(database) : null;
  const mailer = createSmtpMailer(readSmtpUrl(config.smtpUrl, config.publicUrl));
  return config.sandbox ? withSandboxCopy(mailer, database, log) : mailer;
}
