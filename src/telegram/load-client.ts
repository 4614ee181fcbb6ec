import type { TelegramClient } from "./telegram-client.ts";
import { isTelegram } from "./is-telegram.ts";

let opened: Promise<TelegramClient | null> | null = null;

/** Telegram around this page, whose SDK loads nowhere else; null where there is none, or none that answers. The same at each call. */
export function loadTelegramClient(): Promise<TelegramClient | null> {
  if (!isTelegram()) return Promise.resolve(null);
  return (opened ??= open());
}

async function open(): Promise<TelegramClient | null> {
  lendStorage();
  try {
    const { createTelegramClient } = await import("./client.ts");
    return createTelegramClient();
  } catch (error) {
    console.warn("the Telegram client can't be reached; the app goes on as a website", error);
    return null;
  }
}

let isLent = false;

/** Whether the client denies storage to frames: nothing that is kept outlives the page then, but what its address holds. */
export const isStorageDenied = (): boolean => isLent;

/** The SDK needs session storage to start. A client that denies it to frames gets one that lives as long as the page. */
function lendStorage(): void {
  try {
    void sessionStorage.length;
  } catch {
    isLent = true;
    Object.defineProperty(window, "sessionStorage", { configurable: true, value: memoryStorage() });
  }
}

function memoryStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    key: (index) => [...kept.keys()][index] ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => void kept.set(key, value),
  };
}
