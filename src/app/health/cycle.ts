import type { HealthStatus } from "#contract/health-call.ts";

/** spec §9 */
const EVERY_MS = 5_000;
const BACK_OFF = 1.5;
const MAX_MS = 30_000;
const TOLERATED_FAILURES = 3;

/** What is shown of the service, and how many looks in a row have failed. */
export type Health = { readonly shown: HealthStatus; readonly failures: number };

/** An answer to a look (a status that we don't know is unknown), no answer, or what the query for the internet found. */
export type HealthEvent =
  | { readonly kind: "answer"; readonly status: HealthStatus | "UNKNOWN" }
  | { readonly kind: "failure" }
  | { readonly kind: "internet"; readonly isThere: boolean };

/** What comes next: another look after some milliseconds, or the query for the internet at once. */
export type NextLook = { readonly kind: "look"; readonly afterMs: number } | { readonly kind: "ask-internet" };

export type HealthStep = { readonly health: Health; readonly next: NextLook };

/**
 * The health check cycle of spec §4. An answer is believed at once; three failures in a row are tolerated; from the fourth on
 * the service is shown as down only if the internet is there, because otherwise it is the device that is cut off.
 */
export function nextHealth(health: Health, event: HealthEvent): HealthStep {
  if (event.kind === "answer") {
    const shown = event.status === "UNKNOWN" ? "UNHEALTHY" : event.status;
    return { health: { shown, failures: 0 }, next: look(0) };
  }
  if (event.kind === "internet")
    return { health: { ...health, shown: event.isThere ? "UNHEALTHY" : "OK" }, next: look(health.failures) };
  const failed = { ...health, failures: health.failures + 1 };
  return failed.failures > TOLERATED_FAILURES
    ? { health: failed, next: { kind: "ask-internet" } }
    : { health: failed, next: look(failed.failures) };
}

const look = (failures: number): NextLook => ({
  kind: "look",
  afterMs: Math.min(EVERY_MS * BACK_OFF ** failures, MAX_MS),
});
