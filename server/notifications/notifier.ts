import type { Instrument } from "#contract/instrument.ts";
import { memoContext } from "#contract/address.ts";
import type { Log } from "../base/logging/log.ts";
import { repeat, startLoop } from "../base/concurrency/loop.ts";
import type { Database } from "../db/database.ts";
import type { AccountMailLimits } from "./account-mail-limits.ts";
import { createAccountMailChannel } from "./mail/account-channel.ts";
import { createMailChannel } from "./mail/channel.ts";
import { createMailer } from "./mail/mailer.ts";
import type { AccountContext, MessageContext } from "./message-text.ts";
import { sendDueMessages } from "./outbox-runner.ts";
import { abandonUnsendable, untilNextMessage, type AccountChannel, type Channel } from "./outbox.ts";
import type { ChannelName, Mailer } from "./port.ts";
import { createPushAccountChannel, createPushChannel } from "./push/channel.ts";
import type { PushSender, PushSubscriptions } from "./push/port.ts";
import { createTelegramAccountChannel, createTelegramChannel } from "./telegram/channel.ts";

/** Whoever queues a message wakes the loop; this finds what was missed. */
const IDLE_MS = 10_000;
const PRUNE_EVERY_MS = 60_000;
/** How long messages in progress may take when the process stops. */
const STOP_TIMEOUT_MS = 3_000;

type NamedInstrument = Pick<
  Instrument,
  "currencyTitle" | "networkFriendlyTitle" | "networkTitle" | "requiresMemo" | "instrumentType"
> & {
  decimals: number;
};

export type NotifierParts = {
  database: Database;
  catalogue: { instruments: ReadonlyMap<string, NamedInstrument> };
  config: {
    smtpUrl: string | null;
    telegram: { botToken: string | null; apiUrl: string };
    sandbox: boolean;
    publicUrl: string;
    /** Of mails that anybody can cause; null: none. */
    firstMails: AccountMailLimits;
  };
  /** Null: push is off. */
  push: { sender: PushSender; subscriptions: PushSubscriptions } | null;
  log: Log;
};

export type Notifier = {
  /** Looks for messages at once. */
  wake(): void;
  /** Waits a moment for messages in progress. */
  stop(): Promise<void>;
};

/** Sends the messages of the outbox until it is stopped, and gives those up that it has no channel for. Throws on an invalid SMTP_URL. */
export function startNotifier(parts: NotifierParts): Notifier {
  const { database, log, push } = parts;
  const mailer = createMailer(parts);
  const context = contextOf(parts);
  const channels = createChannels(parts, mailer, context);
  const accountChannels = createAccountChannels(parts, mailer, context);
  if (!channels.has("mail")) log.warn("SMTP_URL is not set: customers get no mail");
  const names = [...channels.keys()];
  const stopping = new AbortController();
  const loop = startLoop(
    "notifications",
    IDLE_MS,
    async () => {
      if (names.length === 0) return false;
      const ms = await untilNextMessage(database, names);
      if (ms === null || ms > 0) return ms ?? false;
      return (await sendDueMessages({ database, channels, accountChannels, log }, stopping.signal)) || 0;
    },
    log,
  );
  const abandon = async () => {
    const count = await abandonUnsendable(database, names);
    if (count > 0) log.warn({ count }, "messages are abandoned: no worker has their channel");
  };
  const abandoning = repeat("messages without a channel", PRUNE_EVERY_MS, abandon, log);
  const pruning = push && repeat("push subscriptions", PRUNE_EVERY_MS, () => push.subscriptions.prune(), log);
  return {
    wake: loop.wake,
    stop: async () => {
      const timer = setTimeout(() => stopping.abort(), STOP_TIMEOUT_MS);
      await Promise.all([loop.stop(), abandoning.stop(), pruning?.stop()]);
      clearTimeout(timer);
    },
  };
}

const contextOf = ({ catalogue, config }: NotifierParts): AccountContext => ({
  publicUrl: config.publicUrl,
  decimalsOf: (slug: string) => catalogue.instruments.get(slug)?.decimals ?? null,
  nameOf: (slug: string) => {
    const instrument = catalogue.instruments.get(slug);
    return {
      ticker: instrument?.currencyTitle ?? slug,
      network: instrument?.networkFriendlyTitle ?? slug,
      isFiat: instrument?.instrumentType === "fiat",
      memo: instrument?.requiresMemo === true ? (memoContext(instrument.networkTitle) ?? "memo") : null,
    };
  },
});

function createChannels(
  { config, push }: NotifierParts,
  mailer: Mailer | null,
  context: MessageContext,
): ReadonlyMap<ChannelName, Channel> {
  const { botToken: token, apiUrl } = config.telegram;
  const channels = new Map<ChannelName, Channel>();
  if (mailer !== null) channels.set("mail", createMailChannel(mailer, context));
  if (token !== null) channels.set("telegram", createTelegramChannel({ token, apiUrl }, context));
  if (push !== null) channels.set("push", createPushChannel(push.sender, push.subscriptions));
  return channels;
}

function createAccountChannels(
  { database, config, push }: NotifierParts,
  mailer: Mailer | null,
  context: AccountContext,
): ReadonlyMap<ChannelName, AccountChannel> {
  const { botToken: token, apiUrl } = config.telegram;
  const channels = new Map<ChannelName, AccountChannel>();
  if (mailer !== null) channels.set("mail", createAccountMailChannel(mailer, database, context, config.firstMails));
  if (token !== null) channels.set("telegram", createTelegramAccountChannel({ token, apiUrl }, database, context));
  if (push !== null) channels.set("push", createPushAccountChannel(push.sender, push.subscriptions));
  return channels;
}
