import useSWR from "swr";
import { isOnline } from "../../shared/browser/connectivity.ts";

const EVERY_MS = 30_000;

type FreshPollProps = {
  /** Unique for every page that opens. */
  readonly id: string;
  readonly load: () => Promise<void>;
};

/** Loads again every 30 s while the page is visible and online. A component, so that SWR comes with it and not with the page. */
export function FreshPoll({ id, load }: FreshPollProps) {
  useSWR(id, load, {
    revalidateOnMount: false,
    refreshInterval: EVERY_MS,
    focusThrottleInterval: EVERY_MS / 2,
    isOnline,
  });
  return null;
}
