import { setTimeout as delay } from "node:timers/promises";
import type { Bot } from "grammy";
import type { Log } from "../../base/logging/log.ts";
import { createBot, configureBot } from "./bot.ts";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const LEASE_PAUSE_MS = 2_000;
const ALLOWED_UPDATES = ["message"] as const;
/** How long Telegram may delay the end of the process. */
const STOP_TIMEOUT_MS = 3_000;

export type RunningBot = { stop(): Promise<void> };

export type RunningBotParts = {
  token: string;
  apiUrl: string;
  publicUrl: string;
  /** Where Telegram sends updates; null: long polling. */
  webhook: { url: string; secret: string } | null;
  /** True for one worker at a time: Telegram refuses concurrent polling. */
  holdsLease(): Promise<boolean>;
  log: Log;
};

/**
 * Runs the bot until it is stopped: by long polling, which removes a webhook, or by registering the webhook. Telegram being
 * unreachable affects nothing else and is retried (contract §6).
 */
export function startBot(parts: RunningBotParts): RunningBot {
  const { log, holdsLease, publicUrl } = parts;
  const stopping = new AbortController();
  let running: Bot | null = null;

  const runOnce = async (): Promise<void> => {
    const bot = createBot({ ...parts, options: { client: { apiRoot: parts.apiUrl } } });
    bot.catch(({ error }) => log.warn({ err: error }, "the bot failed to answer a message"));
    await configureBot(bot, publicUrl);
    if (parts.webhook !== null) {
      await setWebhook(bot, parts.webhook);
      log.info("the bot receives updates by webhook");
      await abortOf(stopping.signal);
      return;
    }
    running = bot;
    if (stopping.signal.aborted) return;
    await bot.start({
      allowed_updates: ALLOWED_UPDATES,
      onStart: ({ username }) => log.info({ bot: username }, "the bot is polling for updates"),
    });
  };

  const ended = (async () => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      try {
        if (!(await holdsLease())) {
          await pause(LEASE_PAUSE_MS, stopping.signal);
          continue;
        }
        await runOnce();
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, pauseMs }, "the bot can't reach Telegram; retrying");
        await pause(pauseMs, stopping.signal);
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
      }
    }
  })();

  return {
    async stop() {
      stopping.abort();
      const confirmed = running
        ?.stop()
        .catch((error: unknown) => log.warn({ err: error }, "the bot's last updates were not confirmed"));
      await Promise.race([Promise.all([confirmed, ended]), delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

const setWebhook = ({ api }: Bot, { url, secret }: NonNullable<RunningBotParts["webhook"]>): Promise<true> =>
  api.setWebhook(url, { secret_token: secret, allowed_updates: ALLOWED_UPDATES });

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((end) => {
    if (signal.aborted) end();
    else signal.addEventListener("abort", () => end(), { once: true });
  });

/** Resolves early when the bot is stopped. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
