import { useRef, useState } from "react";
import useSWR from "swr";
import { isOnline } from "../../shared/browser/connectivity.ts";
import { CallError } from "../../shared/http/call-error.ts";

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
export function useFresh<T>(name: string, first: Fresh<T>, load: (last: T) => Promise<T>): Fresh<T> {
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
