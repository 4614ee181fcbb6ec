import useSWR from "swr";
import { isOnline } from "../../shared/browser/connectivity.ts";

const EVERY_MS = 15_000;

/** What the page has loaded, loaded again every 15 s while it is visible and online; a call that fails leaves what there is. */
export function useLive<T>(
  key: string | readonly string[],
  first: T | undefined,
  load: () => Promise<T>,
): T | undefined {
  const { data } = useSWR(key, load, {
    fallbackData: first,
    revalidateOnMount: first === undefined,
    keepPreviousData: true,
    refreshInterval: EVERY_MS,
    isOnline,
  });
  return data;
}
