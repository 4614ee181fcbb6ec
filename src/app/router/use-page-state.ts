import { localeOf } from "../../shared/i18n/create-i18n.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { HealthStatus } from "#contract/health.ts";
import { serverNow } from "../../shared/http/server-clock.ts";
import { useI18n } from "../../shared/i18n/index.ts";
import { type Locale, localePath, splitLocale } from "#contract/locale.ts";
import { abortOnCleanup } from "../../shared/page/abort-on-cleanup.ts";
import { trackDestinationStep } from "../analytics.ts";
import { resolveCurrent } from "./navigate.ts";
import { useNavigationEffects } from "./navigation-effects.ts";
import type { Site } from "./page-data.ts";
import { locationKey } from "./page-location.ts";
import type { PageView } from "./page-view.ts";

/** What is on screen, and the location that it belongs to. */
export type PageState = Site & {
  readonly view: PageView;
  readonly path: string;
  readonly key: string;
  /** When the data was loaded, ISO-8601. */
  readonly now: string;
  /** Somebody was signed in when the page was rendered. */
  readonly isSignedIn: boolean;
  /** The service's health when the page was rendered. */
  readonly health: HealthStatus;
  /** The request's headers, for an error page; null in production. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
};

/** In the offline shell: learns what the site is like now. */
export type FollowSite = (apply: (site: Site) => void) => () => void;

/** Follows the location: the old page stays on screen until the new one is loaded. */
export function usePageState(
  initial: PageState,
  followSite?: FollowSite,
): { pageState: PageState; isLoading: boolean; retry: () => void } {
  const i18n = useI18n();
  const [pageState, setPageState] = useState(initial);
  const [site, setSite] = useState<Site>(initial);
  const [attempt, setAttempt] = useState(0);
  const [path, navigate] = useLocation();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const key = locationKey({ path, query });
  const isCurrent = pageState.key === key && attempt === 0;
  const latest = useRef({ navigate, site });
  useEffect(() => {
    latest.current = { navigate, site };
  });

  useEffect(() => {
    if (isCurrent) return undefined;
    return abortOnCleanup(async (signal) => {
      const resolution = await resolveCurrent(i18n, latest.current.site.settings);
      if (signal.aborted) return;
      if (resolution.kind === "redirect") return redirect(resolution.to, localeOf(i18n), latest.current.navigate);
      setAttempt(0);
      setPageState({ ...initial, view: resolution, path, key, now: new Date(serverNow()).toISOString() });
    });
  }, [isCurrent, i18n, path, key, attempt, initial]);

  useEffect(() => followSite?.(setSite), [followSite, pageState.key]);

  useNavigationEffects(pageState);
  useEffect(() => trackDestinationStep(search, localeOf(i18n)), [search, i18n]);
  // A running attempt is not restarted, or a slow service would never get to answer.
  const retry = useCallback(() => setAttempt(1), []);
  return {
    pageState: { ...pageState, isSandbox: site.isSandbox, settings: site.settings },
    isLoading: !isCurrent,
    retry,
  };
}

type Navigate = (to: string, options: { replace: boolean }) => void;

/** Inside the app for a URL of this language; any other is a full page load (spec §2, guard 6). */
function redirect(to: string, locale: Locale, navigate: Navigate): void {
  const isInternal = to.startsWith("/") && splitLocale(to.replace(/[?#].*$/, "")).locale === locale;
  if (isInternal) navigate(`~${to}`, { replace: true });
  else location.replace(to);
}

/** The URL of the same page in another language, with its query. */
export const hrefIn = (locale: Locale, path: string, search: string): string =>
  localePath(locale, path) + (search === "" ? "" : `?${search}`);
