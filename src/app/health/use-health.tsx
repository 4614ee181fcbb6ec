import { type ReactNode, useRef, useState } from "react";
import type { HealthStatus } from "#contract/health.ts";
import { atRest } from "../../shared/page/at-rest.ts";
import { lazyWithPreload } from "../../shared/page/lazy-with-preload.tsx";
import { optional } from "../../shared/page/optional.tsx";
import type { HealthObservation, ServiceHealth } from "./check.ts";
import { FIRST_CHECK_MS } from "./cycle.ts";

/** The layout of a service that is down. */
export const nonWorking = lazyWithPreload(
  "src/app/health/non-working.tsx",
  async () => (await import("./non-working.tsx")).NonWorking,
);

/**
 * Its code is no part of a first load: with that of the worker's registration (src/pwa/start.ts) the calculator loaded 136.7 kB of
 * scripts, without them 128.3. The layout comes along, because later it may not be reachable.
 */
const HealthPolling = optional("the health check", async () => {
  await atRest();
  const [{ HealthPolling: Polling }] = await Promise.all([import("./health-polling.tsx"), import("./non-working.tsx")]);
  return Polling;
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
  const polling = (
    <HealthPolling first={health} connectivityUrl={connectivityUrl} onChange={setHealth} checkNow={check} />
  );
  return { health, checkNow: () => check.current(), polling };
}
