import type { Messenger } from "../../platform/messenger/port.ts";
import { splitLocale } from "../../lib/locale.ts";
import { matchRoute } from "../route-table.ts";

/** What Back does: closes the dialog on top, or leaves the page; null on a page that has none before it, where the client shows Close. */
export type BackStep = "dialog" | "page" | null;

const ROOTS = new Set(["home", "exchange", "orders"]);

/** Back's meaning on a page, by what is open (ui.md §5): tabs are roots, a step of theirs is not. */
export function backStep(at: { path: string; search: string; dialogs: number }): BackStep {
  if (at.dialogs > 0) return "dialog";
  const name = matchRoute(splitLocale(at.path).path)?.route.name ?? "";
  return ROOTS.has(name) && new URLSearchParams(at.search).get("step") === null ? null : "page";
}

/** Keeps the client's Back as the page is. */
export function followBack(messenger: Messenger): void {
  const startedWith = history.length;
  const openDialogs = () => document.querySelectorAll<HTMLDialogElement>("dialog[open]");
  const step = () => backStep({ path: location.pathname, search: location.search, dialogs: openDialogs().length });
  const goBack = () => {
    // The owner of a dialog closes it, as after Esc.
    if (step() === "dialog") [...openDialogs()].at(-1)?.dispatchEvent(new Event("cancel", { cancelable: true }));
    else if (history.length > startedWith) history.back();
    // Opened by a deeplink: there is nothing before it but its parent.
    else location.assign((splitLocale(location.pathname).locale === "en" ? "/" : "/ru") + location.hash);
  };
  let isShown: boolean | null = null;
  const look = () => {
    const shows = step() !== null;
    if (shows === isShown) return;
    isShown = shows;
    messenger.setBack(shows ? goBack : null);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, attributeFilter: ["open"] });
  for (const event of ["popstate", "pushState", "replaceState"]) addEventListener(event, look);
  look();
}
