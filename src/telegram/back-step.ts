import { localePath, splitLocale } from "../shared/i18n/locale.ts";
import { matchRoute } from "../app/router/route-table.ts";

/** Where a page is read, and what lies above and before it. */
export type Place = {
  /** With its language prefix, and with its query. */
  readonly path: string;
  readonly search: string;
  /** How many dialogs and sheets are open. */
  readonly dialogs: number;
  /** How many pages of the app lie before this one in the history. */
  readonly depth: number;
};

/** What Back does: closes the dialog on top, goes a page back, or, where a link began, to the page's parent; null at a root. */
export type BackStep = { to: "dialog" } | { to: "history" } | { to: "parent"; path: string } | null;

/** Tabs are roots, where the client shows Close; a step of theirs is not (ui.md §5). */
export function backStep({ path, search, dialogs, depth }: Place): BackStep {
  if (dialogs > 0) return { to: "dialog" };
  const parent = parentOf(path, search);
  if (parent === null) return null;
  return depth > 0 ? { to: "history" } : { to: "parent", path: parent };
}

const ROOTS = new Set(["home", "exchange", "orders"]);

/** Where a page belongs, with its language; null for a root. */
function parentOf(prefixed: string, search: string): string | null {
  const { locale, path } = splitLocale(prefixed);
  const name = matchRoute(path)?.route.name ?? "";
  const query = new URLSearchParams(search);
  if (name === "exchange" && query.get("step") === "destination") {
    query.delete("step");
    return prefixed + (query.size === 0 ? "" : `?${query.toString()}`);
  }
  if (ROOTS.has(name)) return null;
  return localePath(locale, name === "order" ? "/orders" : "/");
}
