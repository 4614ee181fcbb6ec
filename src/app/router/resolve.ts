import type { RedirectStatus } from "#contract/site.ts";
import type { Api } from "#contract/ssr.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import type { Translator } from "../../shared/i18n/translator.ts";
import { type Locale, localePath, splitLocale } from "../../shared/i18n/locale.ts";
import type { Loaded } from "../../shared/page/page.ts";
import type { GuardWorld, Move } from "../guards/guard.ts";
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
  /** `message` is that of spec §2, with the full path. */
  | { readonly kind: "notFound"; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown }
  /** To a path with its language prefix, or to a whole URL. */
  | { readonly kind: "redirect"; readonly to: string; readonly status: RedirectStatus };

/** Where a visit ended: what is shown at an address. */
export type Shown = Exclude<Outcome, { kind: "redirect" }>;

export type Address = { readonly locale: Locale; readonly path: string; readonly query: URLSearchParams };

/** Splits path and query of a normalised address. */
export function parseAddress(url: string): Address {
  const [pathname = "/", search = ""] = url.replace(/#.*$/, "").split("?", 2);
  return { ...splitLocale(pathname), query: new URLSearchParams(search) };
}

/**
 * Guards, matches and loads one address, given as it was asked for; the same on the server and, for a move inside the app, in
 * the browser. The guards come with the first move.
 */
export async function resolve(asked: string, world: GuardWorld): Promise<Outcome> {
  try {
    const { GUARDS_BEFORE_LOADING, GUARDS_BESIDE_LOADING, runGuards } = await import("../guards/run.ts");
    const { normalisePath } = await import("../guards/normal-path.ts");
    const address = parseAddress(normalisePath(asked) ?? asked);
    const move = { ...address, asked };
    const redirect = await runGuards(GUARDS_BEFORE_LOADING, move, world);
    if (redirect !== null) return redirect;
    const [moved, outcome] = await Promise.all([
      runGuards(GUARDS_BESIDE_LOADING, move, world),
      load({ ...address, asked }, world.api, world.words),
    ]);
    return moved ?? outcome;
  } catch (error) {
    return { kind: "failed", error };
  }
}

async function load(move: Move, api: Api, words: Translator): Promise<Outcome> {
  const { path, query } = move;
  const match = matchRoute(path);
  if (match === null) return notFound(move);
  try {
    const module = await openRoute(match.route, words);
    await Promise.all((module.late ?? []).map((part) => part.preload(words)));
    const loaded = await module.load({ params: match.params, query, api });
    if (loaded.kind === "page") await openParts(module, words, query, loaded.data);
    return settle(loaded, { route: match.route, params: match.params, module }, move);
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

/** Loads the code and the words that only these data need. */
export async function openParts(
  module: PageModule<unknown>,
  words: Translator,
  query: URLSearchParams,
  data: unknown,
): Promise<void> {
  await Promise.all((module.parts?.(query, data) ?? []).map((part) => part.preload(words)));
}

function settle(loaded: Loaded<unknown>, rest: Pick<Found, "route" | "params" | "module">, move: Move): Outcome {
  if (loaded.kind === "redirect") return { kind: "redirect", to: localePath(move.locale, loaded.to), status: 302 };
  if (loaded.kind === "notFound") return notFound(move);
  return { kind: "page", status: loaded.status ?? 200, data: loaded.data, ...rest };
}

const notFound = ({ asked }: Move): Outcome => ({ kind: "notFound", message: `Page Not Found: ${asked}` });

/** Changes when the data must be loaded anew: the path and the part of the query that the page's data depends on. */
export function addressKey({ path, query }: Pick<Address, "path" | "query">): string {
  const watched = matchRoute(path)?.route.dataQuery ?? [];
  return [path, ...watched.map((name) => query.get(name) ?? "")].join("\n");
}
