import useSWR from "swr";
import { isOnline } from "../../shared/browser/connectivity.ts";

const EVERY_MS = 15_000;

export type Live<T> = {
  readonly value: T | undefined;
  /** The last call failed: the value is that of an earlier one, where there is one. */
  readonly isFailed: boolean;
  readonly retry: () => void;
};

/** What the page has loaded, loaded again every 15 s while it is visible and online; a call that fails leaves what there is. */
export function useLive<T>(
  key: string | readonly string[] | null,
  first: T | undefined,
  load: () => Promise<T>,
): Live<T> {
  const { data, error, mutate } = useSWR<T, Error>(key, load, {
    ...(first !== undefined && { fallbackData: first }),
    revalidateOnMount: first === undefined,
    keepPreviousData: true,
    refreshInterval: EVERY_MS,
    isOnline,
  });
  return { value: data, isFailed: error !== undefined, retry: () => void mutate() };
}
