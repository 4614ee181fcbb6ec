import { useEffect, useEffectEvent, useState } from "react";
import { CallError } from "../../shared/http/call-error.ts";
import { isOnline } from "../../shared/browser/connectivity.ts";

const EVERY_MS = 30_000;

type Fresh<T> = {
  readonly value: T;
  /** When the value was loaded, ISO-8601. */
  readonly at: string;
};

/**
 * What the page came with, loaded anew every 30 s while the page is seen and the device has a network, and as soon as it is seen
 * again. A service that can't answer leaves what there is.
 */
export function useFresh<T>(first: Fresh<T>, load: (last: T) => Promise<T>): Fresh<T> {
  const [fresh, setFresh] = useState(first);
  const loadNext = useEffectEvent(() => load(fresh.value));
  // Counted from the service's clock, which the reader's own need not agree with.
  const now = useEffectEvent((passed: number) => new Date(Date.parse(first.at) + passed).toISOString());
  useEffect(() => {
    let isLeft = false;
    const startedAt = Date.now();
    let triedAt = startedAt;
    const turn = async () => {
      if (Date.now() - triedAt < EVERY_MS / 2 || document.visibilityState === "hidden" || !isOnline()) return;
      triedAt = Date.now();
      try {
        const value = await loadNext();
        if (!isLeft) setFresh({ value, at: now(Date.now() - startedAt) });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        console.debug("the page keeps what it has", error.message);
      }
    };
    const look = () => void turn();
    const timer = setInterval(look, EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      isLeft = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return fresh;
}
