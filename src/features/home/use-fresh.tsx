import { type ReactNode, useRef, useState } from "react";
import { CallError } from "../../shared/http/call-error.ts";
import { atRest } from "../../shared/page/at-rest.ts";
import { optional } from "../../shared/page/optional.tsx";
import { usePageNow } from "../../shared/page/page-context.ts";

/** The first round is half a minute away: its code is no part of a first load. */
const FreshPoll = optional("the page's new data", async () => {
  await atRest();
  return (await import("./fresh-poll.tsx")).FreshPoll;
});

let opened = 0;

export type Fresh<T> = {
  readonly value: T;
  /** When the value was loaded, ISO-8601, by the service's clock. */
  readonly at: string;
  /** Must be rendered to keep the value up to date. */
  readonly polling: ReactNode;
};

/**
 * The page's data, loaded again every 30 s while the page is visible and online, and as soon as it becomes visible. A call that
 * fails leaves what there is.
 */
export function useFresh<T>(name: string, value: T, load: (last: T) => Promise<T>): Fresh<T> {
  const now = usePageNow();
  const [fresh, setFresh] = useState(() => ({ value, at: now }));
  const [{ id, startedAt, renderedAt }] = useState(() => ({
    id: `${name} ${(opened += 1)}`,
    startedAt: Date.now(),
    renderedAt: Date.parse(now),
  }));
  const last = useRef(value);
  const loadNext = async (): Promise<void> => {
    try {
      last.current = await load(last.current);
      // Counted from the service's clock, which the device's own need not agree with.
      const at = new Date(renderedAt + Date.now() - startedAt).toISOString();
      setFresh({ value: last.current, at });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      console.debug("the page keeps what it has", error.message);
    }
  };
  return { ...fresh, polling: <FreshPoll id={id} load={loadNext} /> };
}
