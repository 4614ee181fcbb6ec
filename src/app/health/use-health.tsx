import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import type { HealthStatus } from "#contract/health.ts";
import { useHydrated } from "../../shared/page/use-hydrated.ts";
import type { HealthObservation } from "./check.ts";

export const FIRST_CHECK_MS = 5_000;

export type ServiceHealth = { readonly health: HealthObservation; readonly checkNow: () => void };

/** Loaded after hydration: the first check is due 5 s later. */
const HealthPolling = lazy(async () => {
  try {
    return { default: (await import("./health-polling.tsx")).HealthPolling };
  } catch (error) {
    console.warn("the service's health can't be checked", error);
    return { default: () => null };
  }
});

/** The service's health, beginning with what the server rendered; `polling` must be rendered to keep it up to date. */
export function useHealth(
  initial: HealthStatus,
  renderedAt: string,
  connectivityUrl: string,
): ServiceHealth & { readonly polling: ReactNode } {
  const [health, setHealth] = useState<HealthObservation>(() => ({
    status: initial,
    failures: 0,
    since: null,
    checkedAt: Date.parse(renderedAt),
    nextAt: null,
    intervalMs: FIRST_CHECK_MS,
  }));
  const check = useRef(() => undefined);
  const polling = useHydrated() ? (
    <Suspense>
      <HealthPolling first={health} connectivityUrl={connectivityUrl} onChange={setHealth} checkNow={check} />
    </Suspense>
  ) : null;
  return { health, checkNow: () => check.current(), polling };
}
