import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import type { Preloadable } from "../../shared/page/lazy-with-preload.tsx";
import type { PageModule } from "./define-page.ts";
import type { Route } from "./route-table.ts";

/** Loads a route's code and its texts. */
export async function loadRoute(route: Route, i18n: I18n): Promise<PageModule<unknown>> {
  const [{ page }] = await Promise.all([route.page(), loadMessages(i18n, route.namespaces)]);
  return page;
}

/** Loads the code and texts of deferred parts; rejects when one of them can't be loaded. */
export const preloadAll = (parts: readonly Preloadable[], i18n: I18n): Promise<unknown> =>
  Promise.all(parts.map((part) => part.preload(i18n)));
