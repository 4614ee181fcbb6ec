import { setTimeout as delay } from "node:timers/promises";
import type { Bot } from "grammy";
import type { Log } from "../../base/log.ts";
import { createBot, dressBot } from "./bot.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LEASE_PAUSE_MS = 2_000;
const HEARD = ["message"] as const;
/** A messenger that doesn't answer holds up the end of the process no longer. */
const STOP_AFTER_MS = 3_000;

export type RunningBot = { stop(): Promise<void> };

export type RunningBotParts = {
  token: string;
  apiUrl: string;
  publicUrl: string;
  /** Where the messenger shall tell what people write; null: it is asked. */
  webhook: { url: string; secret: string } | null;
  /** Keeps several workers from asking at once, which the messenger refuses. */
  mayRun(): Promise<boolean>;
  log: Log;
};

/**
 * Runs the bot until it is stopped: by long polling, which ends a webhook, or by telling the messenger where the webhook is. A
 * messenger that can't be reached is asked again, and changes nothing else (contract §6).
 */
export function startBot(parts: RunningBotParts): RunningBot {
  const { log, mayRun, publicUrl } = parts;
  const stopping = new AbortController();
  let running: Bot | null = null;

  const runOnce = async (): Promise<void> => {
    const bot = createBot({ ...parts, options: { client: { apiRoot: parts.apiUrl } } });
    bot.catch(({ error }) => log.warn({ err: error }, "a message to the bot was not answered"));
    await dressBot(bot, publicUrl);
    if (parts.webhook !== null) {
      await setWebhook(bot, parts.webhook);
      log.info("the bot is told by its webhook");
      await endOf(stopping.signal);
      return;
    }
    running = bot;
    if (stopping.signal.aborted) return;
    await bot.start({
      allowed_updates: HEARD,
      onStart: ({ username }) => log.info({ bot: username }, "the bot listens"),
    });
  };

  const ended = (async () => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      try {
        if (!(await mayRun())) {
          await pause(LEASE_PAUSE_MS, stopping.signal);
          continue;
        }
        await runOnce();
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, pauseMs }, "the bot can't reach the messenger; it tries again");
        await pause(pauseMs, stopping.signal);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    }
  })();

  return {
    async stop() {
      stopping.abort();
      const confirmed = running
        ?.stop()
        .catch((error: unknown) => log.warn({ err: error }, "the bot's last messages were not confirmed"));
      await Promise.race([Promise.all([confirmed, ended]), delay(STOP_AFTER_MS, undefined, { ref: false })]);
    },
  };
}

const setWebhook = ({ api }: Bot, { url, secret }: NonNullable<RunningBotParts["webhook"]>): Promise<true> =>
  api.setWebhook(url, { secret_token: secret, allowed_updates: HEARD });

const endOf = (signal: AbortSignal): Promise<void> =>
  new Promise((end) => {
    if (signal.aborted) end();
    else signal.addEventListener("abort", () => end(), { once: true });
  });

/** Ends early, and without a failure, when the bot is told to stop. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
