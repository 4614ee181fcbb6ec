import { isTelegram } from "./is-telegram.ts";
import type { TelegramClient } from "./telegram-client.ts";

/** Where the SDK and the head script keep them; as the latter does, whoever has them takes the page for the mini-app. */
const LAUNCH_KEY = "tapps/launchParams";

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
    if (!mayHaveClient()) loadAsWebsite();
    return null;
  }
}

/** A client shows the page in a frame or in a web view of its own. */
const mayHaveClient = (): boolean => window.parent !== window || "TelegramWebviewProxy" in window;

/** Anybody may write launch parameters into a link: without a client the page would have neither its buttons nor a way to sign in. */
function loadAsWebsite(): void {
  sessionStorage.removeItem(LAUNCH_KEY);
  const query = [...new URLSearchParams(location.search)].filter(([name]) => !name.startsWith("tgWebApp"));
  location.replace(query.length === 0 ? location.pathname : `${location.pathname}?${new URLSearchParams(query)}`);
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
