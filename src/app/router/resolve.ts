import type { Api } from "#contract/site/ssr.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { localePath } from "#contract/locale.ts";
import type { Loaded } from "../../shared/page/page-context.ts";
import type { GuardContext, Navigation } from "../guards/guard.ts";
import { normalisePath } from "../guards/normal-path.ts";
import { GUARDS_BEFORE_LOADING, GUARDS_BESIDE_LOADING, runGuards } from "../guards/run-guards.ts";
import { loadRoute, preloadAll } from "./load-route.ts";
import { parseLocation } from "./page-location.ts";
import type { FoundPage, Resolution } from "./page-view.ts";
import { matchRoute } from "./route-table.ts";

/**
 * Runs the guards, matches the route and loads the page; the same on the server and, for a navigation inside the app, in the
 * browser, which loads this file with the first one.
 */
export async function resolve(requested: string, context: GuardContext): Promise<Resolution> {
  try {
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
  const { path, query, locale } = navigation;
  const match = matchRoute(path);
  if (match === null) return notFound(navigation);
  try {
    const module = await loadRoute(match.route, i18n);
    await preloadAll(module.deferred ?? [], i18n);
    const loaded = await module.load({ params: match.params, query, api, locale });
    if (loaded.kind === "page") await preloadAll(module.parts?.(query, loaded.data) ?? [], i18n);
    return toResolution(loaded, { route: match.route, params: match.params, module }, navigation);
  } catch (error) {
    return { kind: "failed", error };
  }
}

function toResolution(
  loaded: Loaded<unknown>,
  page: Pick<FoundPage, "route" | "params" | "module">,
  navigation: Navigation,
): Resolution {
  if (loaded.kind === "redirect")
    return { kind: "redirect", to: localePath(navigation.locale, loaded.to), status: loaded.status ?? 302 };
  if (loaded.kind === "notFound") return notFound(navigation);
  return { kind: "page", status: loaded.status ?? 200, data: loaded.data, ...page };
}

const notFound = ({ requested }: Navigation): Resolution => ({
  kind: "notFound",
  message: `Page Not Found: ${requested}`,
});
