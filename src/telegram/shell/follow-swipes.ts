import type { TelegramClient } from "../telegram-client.ts";
import { followScreen, openDialogs } from "./follow-screen.ts";

/** A swipe down moves what is in a sheet, and closes the app elsewhere (ui.md §6). */
export function followSwipes(telegram: Pick<TelegramClient, "allowSwipes">): void {
  let areAllowed: boolean | null = null;
  followScreen(() => {
    const may = openDialogs().length === 0;
    if (may !== areAllowed) telegram.allowSwipes((areAllowed = may));
  });
}
