import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import type { SiteSettings } from "#contract/site/ssr.ts";
import { startTracking, trackDestinationStep, trackPageView } from "./app/analytics.ts";
import { App } from "./app/app.tsx";
import { updateHead } from "./app/head/update-head.ts";
import { preloadToasts } from "./app/layout/toasts.tsx";
import { loadRoute, preloadAll } from "./app/router/load-route.ts";
import { resolveCurrent } from "./app/router/navigate.ts";
import { type PageData, readPageData, saveSite, type Site } from "./app/router/page-data.ts";
import { locationKey, type PageLocation, parseLocation } from "./app/router/page-location.ts";
import type { PageView } from "./app/router/page-view.ts";
import { matchRoute } from "./app/router/route-table.ts";
import type { FollowSite, PageState } from "./app/router/use-page-state.ts";
import { startPwa } from "./pwa/start.ts";
import { followTheme } from "./shared/browser/theme.ts";
import { loadMessages } from "./shared/i18n/messages.ts";
import { createI18n, type I18n } from "./shared/i18n/create-i18n.ts";
import { atRest } from "./shared/page/at-rest.ts";
import { firstTouch } from "./shared/page/first-touch.ts";
import { notify } from "./shared/page/notifications.ts";
import { isTelegram } from "./telegram/is-telegram.ts";

type FirstPage = {
  readonly pageLocation: PageLocation;
  /** Null in the offline shell. */
  readonly data: PageData | null;
  readonly i18n: I18n;
  readonly site: Site;
  /** In the offline shell only. */
  readonly followSite: FollowSite | undefined;
  readonly view: PageView;
};

async function start(): Promise<void> {
  followTheme();
  let first: FirstPage | null;
  try {
    first = await loadFirst();
  } catch (error) {
    return reportFailure(error);
  }
  if (first === null) return;
  const { pageLocation, data, i18n, site, followSite, view } = first;
  const { locale, path, query } = pageLocation;
  const initial: PageState = {
    view,
    path,
    key: locationKey(pageLocation),
    now: data?.now ?? new Date().toISOString(),
    isSandbox: site.isSandbox,
    isSignedIn: data?.isSignedIn ?? false,
    settings: site.settings,
    health: data?.health ?? "OK",
    requestHeaders: data?.requestHeaders ?? null,
  };
  const app = (
    <StrictMode>
      <App i18n={i18n} initial={initial} followSite={followSite} />
    </StrictMode>
  );
  const root = rootElement();
  if (data === null) {
    void updateHead({ view, i18n, path, query, origin: location.origin });
    createRoot(root).render(app);
    // A transition hydrates in slices, so that it does not block the first input.
  } else startTransition(() => void hydrateRoot(root, app));
  startPwa(preloadToasts);
  void firstTouch().then(() => startPrefetching(i18n));
  if (isTelegram()) void startTelegram(i18n);
  if (query.get("link") === "unknown") void notifyUnknownLink(i18n);
  if (data !== null) saveSite(data);
  void startAccount(i18n, initial.isSignedIn || query.has("login"));
  await startTracking(site.settings);
  trackPageView(view, locale);
  trackDestinationStep(location.search, locale);
}

/** What the first page is rendered from; null while the offline shell goes to another one. */
async function loadFirst(): Promise<FirstPage | null> {
  const data = readPageData();
  const pageLocation = parseLocation(location.pathname + location.search);
  const i18n = createI18n(pageLocation.locale, data?.messages ?? {});
  const { site, followSite } = data === null ? await loadShell() : { site: data, followSite: undefined };
  const [view] = await Promise.all([
    data === null ? loadOffline(i18n, site.settings) : restore(pageLocation, data, i18n),
    loadMessages(i18n, ["common"]),
  ]);
  return view === null ? null : { pageLocation, data, i18n, site, followSite, view };
}

async function loadShell(): Promise<{ site: Site; followSite: FollowSite }> {
  const { shellSite, followSite } = await import("./app/router/shell-settings.ts");
  return { site: shellSite(), followSite };
}

/** The view that the server rendered, with its code. */
async function restore({ path, query }: PageLocation, { result }: PageData, i18n: I18n): Promise<PageView> {
  if (result.kind !== "page") return result;
  const match = matchRoute(path);
  if (match === null) throw new Error(`the server rendered ${path}, which has no route`);
  const module = await loadRoute(match.route, i18n);
  await preloadAll(module.parts?.(query, result.data) ?? [], i18n);
  return { ...result, ...match, module };
}

/** Offline the service worker serves the shell without a page: renders what the device has. Null when it redirects. */
async function loadOffline(i18n: I18n, settings: SiteSettings): Promise<PageView | null> {
  const resolution = await resolveCurrent(i18n, settings);
  if (resolution.kind !== "redirect") return resolution;
  location.replace(resolution.to);
  return null;
}

/** Without it a mini-app has neither Telegram's buttons nor its user. */
async function startTelegram(i18n: I18n): Promise<void> {
  try {
    await (await import("./app/launch-telegram.ts")).launchTelegram(i18n);
  } catch (error) {
    reportFailure(error);
  }
}

/** The page's own notice offers to reload it (scripts/vite/start-notice.ts). */
function reportFailure(error: unknown): void {
  console.error("the page can't be started", error);
  dispatchEvent(new Event("start-failed"));
}

/** Finds out who is signed in: once the page is at rest, unless it was rendered for somebody, or asks for the login dialog. */
async function startAccount(i18n: I18n, isDue: boolean): Promise<void> {
  if (!isDue) await atRest();
  await (await import("./app/account/session.ts")).startSession(i18n);
}

async function startPrefetching(i18n: I18n): Promise<void> {
  try {
    (await import("./app/router/prefetch-links.ts")).prefetchLinks(i18n);
  } catch (error) {
    console.debug("links can't be prefetched", error);
  }
}

/** Says once that a deeplink is unknown, and removes its mark from the URL (contract §5). */
async function notifyUnknownLink(i18n: I18n): Promise<void> {
  const url = new URL(location.href);
  url.searchParams.delete("link");
  history.replaceState(history.state, "", url);
  await loadMessages(i18n, ["telegram"]);
  notify({ type: "error", message: i18n.getFixedT(null, "telegram")("unknownLink") });
}

function rootElement(): HTMLElement {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the page has no #root");
  return root;
}

// A task of its own: with the evaluation of this module in one, the exchange page blocked for 28 ms (mean of ten loads on a phone
// four times slower than the measuring machine) instead of 18.
setTimeout(() => void start());
