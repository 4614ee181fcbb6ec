import { useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { browserApi } from "../lib/http.ts";
import { useWords } from "../lib/i18n/index.ts";
import { type Locale, localePath } from "../lib/locale.ts";
import { applyHead, headTags } from "./head.ts";
import { addressKey, resolve, type Shown } from "./resolve.ts";

/** A page that is shown, and the address that it belongs to. */
export type Visit = {
  readonly shown: Shown;
  readonly path: string;
  readonly key: string;
  /** When it was loaded, ISO-8601. */
  readonly now: string;
  readonly isSandbox: boolean;
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
  const latest = useRef({ navigate, query });
  useEffect(() => {
    latest.current = { navigate, query };
  });

  useEffect(() => {
    if (isCurrent) return undefined;
    let isLeft = false;
    const load = async () => {
      const outcome = await resolve({ path, query: latest.current.query }, browserApi, words);
      if (isLeft) return;
      if (outcome.kind === "redirect") {
        latest.current.navigate(outcome.to, { replace: true });
        return;
      }
      setAttempt(0);
      setVisit({ ...first, shown: outcome, path, key, now: new Date().toISOString() });
    };
    void load();
    return () => {
      isLeft = true;
    };
  }, [isCurrent, words, path, key, attempt, first]);

  useArrival(visit);
  // An attempt on its way is not begun anew, or a slow service would never come to its answer.
  return { visit, isLoading: !isCurrent, retry: () => setAttempt(1) };
}

/** After a move inside the app: the head follows, the page begins at its top, and the focus stands at its start. */
function useArrival(visit: Visit): void {
  const words = useWords();
  const last = useRef(visit);
  useEffect(() => {
    const before = last.current;
    if (before === visit) return;
    last.current = visit;
    applyHead(headTags({ shown: visit.shown, words, path: visit.path, origin: location.origin }));
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
