import { isTelegram } from "./is-telegram.ts";
import type { TelegramClient } from "./telegram-client.ts";

let client: Promise<TelegramClient | null> | null = null;

/**
 * The Telegram client around the page, the same at each call; its SDK is loaded nowhere else. Null on the web, and
 * where no client answers.
 */
export function loadTelegramClient(): Promise<TelegramClient | null> {
  if (!isTelegram()) return Promise.resolve(null);
  return (client ??= load());
}

async function load(): Promise<TelegramClient | null> {
  replaceDeniedStorage();
  try {
    const { createTelegramClient } = await import("./client.ts");
    return createTelegramClient();
  } catch (error) {
    console.warn("the Telegram client can't be reached; the app runs as a website", error);
    return null;
  }
}

let isDenied = false;

/** Whether the client denies storage to frames: only the URL outlives the page then. */
export const isStorageDenied = (): boolean => isDenied;

/** The SDK needs session storage to start; where it is denied, it gets one that lives as long as the page. */
function replaceDeniedStorage(): void {
  try {
    void sessionStorage.length;
  } catch {
    isDenied = true;
    Object.defineProperty(window, "sessionStorage", { configurable: true, value: memoryStorage() });
  }
}

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
}
