import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { HealthStatus } from "#contract/health-call.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { useWords } from "../../shared/i18n/index.ts";
import { type Locale, localePath, splitLocale } from "../../shared/i18n/locale.ts";
import { trackPage, trackStep } from "../follow-visits.ts";
import { browserWorld } from "./browser-world.ts";
import { addressKey, resolve, type Shown } from "./resolve.ts";
import { showHead } from "../head/show-head.ts";

/** A page that is shown, and the address that it belongs to. */
export type Visit = {
  readonly shown: Shown;
  readonly path: string;
  readonly key: string;
  /** When it was loaded, ISO-8601. */
  readonly now: string;
  readonly isSandbox: boolean;
  readonly settings: SiteSettings;
  /** The service's, when the page was rendered. */
  readonly health: HealthStatus;
  /** The request's, for an error page; null in production. */
  readonly shownHeaders: Readonly<Record<string, string>> | null;
};

/** Follows the address: the old page stays until the new one has its data. */
export function useVisit(first: Visit): { visit: Visit; isLoading: boolean; retry: () => void } {
  const words = useWords();
  const [visit, setVisit] = useState(first);
  const [attempt, setAttempt] = useState(0);
  const [path, navigate] = useLocation();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const key = addressKey({ path, query });
  const isCurrent = visit.key === key && attempt === 0;
  const latest = useRef({ navigate });
  useEffect(() => {
    latest.current = { navigate };
  });

  useEffect(() => {
    if (isCurrent) return undefined;
    let isLeft = false;
    const load = async () => {
      const asked = location.pathname + location.search + location.hash;
      const outcome = await resolve(asked, browserWorld(words, first.settings));
      if (isLeft) return;
      if (outcome.kind === "redirect") return follow(outcome.to, words.locale, latest.current.navigate);
      setAttempt(0);
      setVisit({ ...first, shown: outcome, path, key, now: new Date().toISOString() });
    };
    void load();
    return () => {
      isLeft = true;
    };
  }, [isCurrent, words, path, key, attempt, first]);

  useArrival(visit);
  useEffect(() => trackStep(search, words.locale), [search, words]);
  // An attempt on its way is not begun anew, or a slow service would never come to its answer.
  const retry = useCallback(() => setAttempt(1), []);
  return { visit, isLoading: !isCurrent, retry };
}

type Navigate = (to: string, options: { replace: boolean }) => void;

/** Inside the app where the address is of this language; any other one is a whole load (spec §2, guard 6). */
function follow(to: string, locale: Locale, navigate: Navigate): void {
  const isOurs = to.startsWith("/") && splitLocale(to.replace(/[?#].*$/, "")).locale === locale;
  if (isOurs) navigate(`~${to}`, { replace: true });
  else location.replace(to);
}

/** After a move inside the app: the head follows, the page begins at its top, and the focus stands at its start. */
function useArrival(visit: Visit): void {
  const words = useWords();
  const last = useRef(visit);
  useEffect(() => {
    const before = last.current;
    if (before === visit) return;
    last.current = visit;
    trackPage(visit.shown, words.locale);
    const query = new URLSearchParams(location.search);
    void showHead({ shown: visit.shown, words, path: visit.path, query, origin: location.origin });
    if (pageName(before) === pageName(visit)) return;
    scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [visit, words]);
}

/** Pairs are one page, on which the reader stays while choosing. */
const pageName = ({ shown, path }: Visit): string =>
  shown.kind === "page" && shown.route.name === "exchange" ? "exchange" : path;

/** The address of the same page in another language, with its query. */
export const addressIn = (locale: Locale, path: string, search: string): string =>
  localePath(locale, path) + (search === "" ? "" : `?${search}`);
