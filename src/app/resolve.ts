import type { Api } from "#contract/ssr.ts";
import { loadMessages } from "../lib/i18n/messages.ts";
import type { Translator } from "../lib/i18n/translator.ts";
import { type Locale, splitLocale } from "../lib/locale.ts";
import type { Loaded } from "../lib/page.ts";
import { exchangeIndexGuard } from "./exchange-index-guard.ts";
import type { PageModule } from "./page-module.ts";
import { matchRoute, type Route } from "./route-table.ts";

export type Found = {
  readonly kind: "page";
  readonly status: 200 | 404;
  readonly route: Route;
  readonly module: PageModule<unknown>;
  readonly params: Readonly<Record<string, string>>;
  readonly data: unknown;
};

export type Outcome =
  | Found
  | { readonly kind: "notFound" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** A path without language prefix. */
  | { readonly kind: "redirect"; readonly to: string };

/** Where a visit ended: what is shown at an address. */
export type Shown = Exclude<Outcome, { kind: "redirect" }>;

export type Address = { readonly locale: Locale; readonly path: string; readonly query: URLSearchParams };

/** Splits path and query of a normalised address. */
export function parseAddress(url: string): Address {
  const [pathname = "/", search = ""] = url.split("?", 2);
  return { ...splitLocale(pathname), query: new URLSearchParams(search) };
}

/** Guards, matches and loads one address; the same on the server and, for a move inside the app, in the browser. */
export async function resolve(
  { path, query }: Pick<Address, "path" | "query">,
  api: Api,
  words: Translator,
): Promise<Outcome> {
  const guarded = await exchangeIndexGuard(path, query, api);
  if (guarded !== null) return { kind: "redirect", to: guarded };
  const match = matchRoute(path);
  if (match === null) return { kind: "notFound" };
  try {
    const module = await openRoute(match.route, words);
    const loaded = await module.load({ params: match.params, query, api });
    return settle(loaded, { route: match.route, params: match.params, module });
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** Loads a route's code and the words that come with it. */
export async function openRoute(route: Route, words: Translator): Promise<PageModule<unknown>> {
  const [{ page }, ...parts] = await Promise.all([
    route.page(),
    ...route.words.map((part) => loadMessages(words.locale, part)),
  ]);
  for (const part of parts) words.add(part);
  return page;
}

function settle(loaded: Loaded<unknown>, rest: Pick<Found, "route" | "params" | "module">): Outcome {
  if (loaded.kind !== "page") return loaded;
  return { kind: "page", status: loaded.status ?? 200, data: loaded.data, ...rest };
}

/** Changes when the data must be loaded anew: the path and the part of the query that the page's data depends on. */
export function addressKey({ path, query }: Pick<Address, "path" | "query">): string {
  const watched = matchRoute(path)?.route.dataQuery ?? [];
  return [path, ...watched.map((name) => query.get(name) ?? "")].join("\n");
}
