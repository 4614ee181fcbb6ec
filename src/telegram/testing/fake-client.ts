import type { TelegramClient } from "../telegram-client.ts";

/** Marks the page as shown by Telegram; returns what ends that. */
export function insideTelegram(): () => void {
  document.documentElement.dataset["shell"] = "telegram";
  return () => {
    delete document.documentElement.dataset["shell"];
  };
}

/** A client with the capabilities that the test gives it; anything else fails. */
export const fakeTelegramClient = (can: Partial<TelegramClient>): TelegramClient =>
  new Proxy(can as TelegramClient, {
    get(target, name) {
      // `await` looks for `then`.
      if (name === "then" || name in target) return Reflect.get(target, name);
      throw new Error(`nobody expected ${String(name)}`);
    },
  });
