import type { MouseEvent } from "react";
import { isTelegram } from "./is-telegram.ts";
import { loadTelegramClient } from "./load-client.ts";

/** For a link whose page belongs into a browser: inside Telegram its client opens it, wherever it leads. */
export function openOutside(event: MouseEvent, url: string): void {
  if (!isTelegram()) return;
  event.preventDefault();
  void openByClient(url);
}

async function openByClient(url: string): Promise<void> {
  if ((await loadTelegramClient())?.openLink(url) !== true) location.assign(url);
}
