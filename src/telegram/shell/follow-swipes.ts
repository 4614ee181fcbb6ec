import type { Messenger } from "../sdk/port.ts";
import { followScreen, openDialogs } from "./follow-screen.ts";

/** A swipe down moves what is in a sheet, and closes the app elsewhere (ui.md §6). */
export function followSwipes(messenger: Pick<Messenger, "allowSwipes">): void {
  let areAllowed: boolean | null = null;
  followScreen(() => {
    const may = openDialogs().length === 0;
    if (may !== areAllowed) messenger.allowSwipes((areAllowed = may));
  });
}
