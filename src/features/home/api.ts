import { useRef, useState } from "react";
import useSWR from "swr";
import { isOnline } from "../../shared/browser/connectivity.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { browserApi } from "../../shared/http/http.ts";
import { usePageNow } from "../../shared/page/page-context.ts";
import { type HomeParts, loadLatest, ratePair } from "./load.ts";
import type { Catalogue, RatedPair } from "./model/pair-rates.ts";

/** The home page's parts, which the page has loaded with, as they are now. */
export const useHomeParts = (first: HomeParts, { instruments }: Catalogue): Fresh<HomeParts> =>
  useFresh("home", first, async (last) => {
    const [latest, stats, rates] = await Promise.all([
      loadLatest(browserApi, instruments),
      browserApi.call("stats"),
      ratesOf(last.rates),
    ]);
    return { latest, stats, rates };
  });

/** The popular pairs, which the page has loaded with, with their rates of now. */
export const usePopularPairs = (first: readonly RatedPair[]): Fresh<readonly RatedPair[]> =>
  useFresh("popular", first, ratesOf);

const ratesOf = (pairs: readonly RatedPair[]): Promise<RatedPair[]> =>
  Promise.all(pairs.map((pair) => ratePair(browserApi, pair)));

const EVERY_MS = 30_000;
let opened = 0;

type Fresh<T> = {
  readonly value: T;
  /** When the value was loaded, ISO-8601, by the service's clock. */
  readonly at: string;
};

/**
 * The page's data, loaded again every 30 s while the page is visible and online, and as soon as it becomes visible. A call that
 * fails leaves what there is.
 */
function useFresh<T>(name: string, value: T, load: (last: T) => Promise<T>): Fresh<T> {
  const now = usePageNow();
  const [first] = useState(() => ({ value, at: now }));
  // A cache entry of its own for every page that opens: its own data is the first.
  const [{ key, startedAt }] = useState(() => ({ key: [name, (opened += 1)], startedAt: Date.now() }));
  const last = useRef(first);
  const loadNext = async (): Promise<Fresh<T>> => {
    try {
      const value = await load(last.current.value);
      // Counted from the service's clock, which the device's own need not agree with.
      last.current = { value, at: new Date(Date.parse(first.at) + Date.now() - startedAt).toISOString() };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      console.debug("the page keeps what it has", error.message);
    }
    return last.current;
  };
  const { data } = useSWR(key, loadNext, {
    fallbackData: first,
    revalidateOnMount: false,
    refreshInterval: EVERY_MS,
    focusThrottleInterval: EVERY_MS / 2,
    isOnline,
  });
  return data;
}
