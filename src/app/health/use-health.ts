import { useRef, useState } from "react";
import useSWR from "swr";
import type { HealthStatus } from "#contract/health.ts";
import { type HealthObservation, observeHealth } from "./check.ts";

export const FIRST_CHECK_MS = 5_000;

export type ServiceHealth = { readonly health: HealthObservation; readonly checkNow: () => void };

/**
 * The service's health, beginning with what the server rendered: polled while the page is visible, and checked at once when it
 * becomes visible or online again.
 */
export function useHealth(initial: HealthStatus, renderedAt: string, connectivityUrl: string): ServiceHealth {
  const [first] = useState<HealthObservation>(() => ({
    status: initial,
    failures: 0,
    since: null,
    checkedAt: Date.parse(renderedAt),
    nextAt: null,
    intervalMs: FIRST_CHECK_MS,
  }));
  const last = useRef(first);
  // A number, not a function of the data: SWR restarts its timer when the interval changes.
  const [refreshInterval, setRefreshInterval] = useState(FIRST_CHECK_MS);
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
  return { health, checkNow: () => void mutate() };
}
