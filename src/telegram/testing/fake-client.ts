import type { TelegramClient } from "../telegram-client.ts";

/** Lets the page believe that Telegram shows it; gives what ends that. */
export function insideTelegram(): () => void {
  document.documentElement.dataset["shell"] = "telegram";
  return () => {
    delete document.documentElement.dataset["shell"];
  };
}

/** Telegram that can what the test gives it: anything else fails. */
export const fakeTelegramClient = (can: Partial<TelegramClient>): TelegramClient =>
  new Proxy(can as TelegramClient, {
    get(target, name) {
      // What is awaited is asked whether it is a promise.
      if (name === "then" || name in target) return Reflect.get(target, name);
      throw new Error(`nobody expected ${String(name)}`);
    },
  });
