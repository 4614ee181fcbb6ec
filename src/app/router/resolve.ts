import type { RedirectStatus } from "#contract/site.ts";
import type { Api } from "#contract/ssr.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { localePath } from "../../shared/i18n/locale.ts";
import type { Preloadable } from "../../shared/page/lazy-with-preload.tsx";
import type { Loaded } from "../../shared/page/page-context.ts";
import type { GuardContext, Navigation } from "../guards/guard.ts";
import type { PageModule } from "./define-page.ts";
import { parseLocation } from "./page-location.ts";
import { matchRoute, type Route } from "./route-table.ts";

export type FoundPage = {
  readonly kind: "page";
  readonly status: 200 | 404;
  readonly route: Route;
  readonly module: PageModule<unknown>;
  readonly params: Readonly<Record<string, string>>;
  readonly data: unknown;
};

/** What is shown at a URL. */
export type PageView =
  | FoundPage
  /** `message` is that of spec §2, with the full path. */
  | { readonly kind: "notFound"; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown };

export type Resolution =
  | PageView
  /** To a path with its language prefix, or to a full URL. */
  | { readonly kind: "redirect"; readonly to: string; readonly status: RedirectStatus };

/**
 * Runs the guards, matches the route and loads the page; the same on the server and, for a navigation inside the app, in the
 * browser, which loads the guards' code with the first navigation.
 */
export async function resolve(requested: string, context: GuardContext): Promise<Resolution> {
  try {
    const { GUARDS_BEFORE_LOADING, GUARDS_BESIDE_LOADING, runGuards } = await import("../guards/run-guards.ts");
    const { normalisePath } = await import("../guards/normal-path.ts");
    const navigation = { ...parseLocation(normalisePath(requested) ?? requested), requested };
    const redirect = await runGuards(GUARDS_BEFORE_LOADING, navigation, context);
    if (redirect !== null) return redirect;
    const [laterRedirect, resolution] = await Promise.all([
      runGuards(GUARDS_BESIDE_LOADING, navigation, context),
      load(navigation, context.api, context.i18n),
    ]);
    return laterRedirect ?? resolution;
  } catch (error) {
    return { kind: "failed", error };
  }
}

async function load(navigation: Navigation, api: Api, i18n: I18n): Promise<Resolution> {
  const { path, query } = navigation;
  const match = matchRoute(path);
  if (match === null) return notFound(navigation);
  try {
    const module = await loadRoute(match.route, i18n);
    await preloadAll(module.deferred ?? [], i18n);
    const loaded = await module.load({ params: match.params, query, api });
    if (loaded.kind === "page") await preloadAll(module.parts?.(query, loaded.data) ?? [], i18n);
    return toResolution(loaded, { route: match.route, params: match.params, module }, navigation);
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** Loads a route's code and its texts. */
export async function loadRoute(route: Route, i18n: I18n): Promise<PageModule<unknown>> {
  const [{ page }] = await Promise.all([route.page(), loadMessages(i18n, route.namespaces)]);
  return page;
}

export const preloadAll = (parts: readonly Preloadable[], i18n: I18n): Promise<unknown> =>
  Promise.all(parts.map((part) => part.preload(i18n)));

function toResolution(
  loaded: Loaded<unknown>,
  page: Pick<FoundPage, "route" | "params" | "module">,
  navigation: Navigation,
): Resolution {
  if (loaded.kind === "redirect")
    return { kind: "redirect", to: localePath(navigation.locale, loaded.to), status: 302 };
  if (loaded.kind === "notFound") return notFound(navigation);
  return { kind: "page", status: loaded.status ?? 200, data: loaded.data, ...page };
}

const notFound = ({ requested }: Navigation): Resolution => ({
  kind: "notFound",
  message: `Page Not Found: ${requested}`,
});
