import { navigate } from "wouter/use-browser-location";
import type { TelegramClient } from "../telegram-client.ts";
import { backStep } from "../back-step.ts";
import { followDepth } from "./depth.ts";
import { followScreen, openDialogs } from "./follow-screen.ts";

/** Keeps the client's Back as the page is: the one handler that there is for it. */
export function followBack(telegram: Pick<TelegramClient, "showBack" | "onBack">): void {
  const depth = followDepth();
  const step = () =>
    backStep({
      path: location.pathname,
      search: location.search,
      dialogs: openDialogs().length,
      depth: depth(),
    });
  telegram.onBack(() => {
    const asked = step();
    // The owner of a dialog closes it, as after Esc.
    if (asked?.to === "dialog")
      openDialogs()
        .at(-1)
        ?.dispatchEvent(new Event("cancel", { cancelable: true }));
    else if (asked?.to === "history") history.back();
    else if (asked?.to === "parent") navigate(asked.path, { replace: true });
  });
  let isShown: boolean | null = null;
  followScreen(() => {
    const shows = step() !== null;
    if (shows !== isShown) telegram.showBack((isShown = shows));
  });
}
