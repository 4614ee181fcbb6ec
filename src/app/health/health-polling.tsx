import { type RefObject, useEffect, useRef, useState } from "react";
import useSWR from "swr";
import { type HealthObservation, observeHealth } from "./check.ts";

export type HealthPollingProps = {
  readonly first: HealthObservation;
  readonly connectivityUrl: string;
  readonly onChange: (health: HealthObservation) => void;
  /** Receives the function that checks at once. */
  readonly checkNow: RefObject<() => void>;
};

/** Polls the service's health while the page is visible, and checks it at once when the page becomes visible or online again. */
export function HealthPolling({ first, connectivityUrl, onChange, checkNow }: HealthPollingProps) {
  const last = useRef(first);
  // A number, not a function of the data: SWR restarts its timer when the interval changes.
  const [refreshInterval, setRefreshInterval] = useState(first.intervalMs);
  const observe = async () => {
    last.current = await observeHealth(last.current, connectivityUrl);
    setRefreshInterval(last.current.intervalMs);
    return last.current;
  };
  const { data: health, mutate } = useSWR("health", observe, {
    fallbackData: first,
    revalidateOnMount: false,
    refreshInterval,
    // The cycle itself finds out whether the device is offline.
    refreshWhenOffline: true,
    focusThrottleInterval: 0,
  });
  useEffect(() => onChange(health), [health, onChange]);
  useEffect(() => {
    checkNow.current = () => void mutate();
  }, [checkNow, mutate]);
  return null;
}
