import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { localeOf } from "../../shared/i18n/create-i18n.ts";
import { splitLocale } from "#contract/locale.ts";
import { isOnline } from "../../shared/browser/connectivity.ts";
import { mayPrefetch } from "../../shared/browser/prefetch.ts";
import { loadRoute } from "./load-route.ts";
import { matchRoute } from "./route-table.ts";

/** Loads a page's code and texts when the pointer or the focus comes to a link to it, unless the connection forbids it (spec §9). */
export function prefetchLinks(i18n: I18n): void {
  const prefetched = new Set<string>();
  const prefetch = async ({ target }: Event): Promise<void> => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link === null || link.origin !== location.origin) return;
    const { locale, path } = splitLocale(link.pathname);
    const route = matchRoute(path)?.route;
    if (route === undefined || locale !== localeOf(i18n) || prefetched.has(route.name)) return;
    if (!isOnline() || !mayPrefetch()) return;
    prefetched.add(route.name);
    try {
      await loadRoute(route, i18n);
    } catch (error) {
      prefetched.delete(route.name);
      console.debug(`the code of ${path} can't be loaded yet`, error);
    }
  };
  for (const sign of ["pointerover", "focusin"])
    document.addEventListener(sign, (event) => void prefetch(event), { passive: true });
}
