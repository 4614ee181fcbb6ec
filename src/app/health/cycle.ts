import type { HealthStatus } from "#contract/health.ts";

/** spec §9 */
const INTERVAL_MS = 5_000;
export const FIRST_CHECK_MS = INTERVAL_MS;
const BACKOFF_FACTOR = 1.5;
const MAX_INTERVAL_MS = 30_000;
const TOLERATED_FAILURES = 3;

/** The status that the app shows, and how many checks in a row have failed. */
export type Health = { readonly status: HealthStatus; readonly failures: number };

export type HealthEvent =
  /** An answer to a check; `UNKNOWN` stands for every status that we don't know. */
  | { readonly kind: "answer"; readonly status: HealthStatus | "UNKNOWN" }
  /** No answer. */
  | { readonly kind: "failure" }
  /** The result of the connectivity check. */
  | { readonly kind: "internet"; readonly isAvailable: boolean };

/** Another check after some milliseconds, or the connectivity check at once. */
export type NextCheck = { readonly kind: "check"; readonly afterMs: number } | { readonly kind: "checkInternet" };

/**
 * The health check cycle of spec §4. An answer counts at once; three failures in a row are tolerated; from the fourth on the
 * service is shown as down only if the internet is available, because otherwise the device is offline.
 */
export function cycle(health: Health, event: HealthEvent): { readonly health: Health; readonly next: NextCheck } {
  if (event.kind === "answer") {
    const status = event.status === "UNKNOWN" ? "UNHEALTHY" : event.status;
    return { health: { status, failures: 0 }, next: checkLater(0) };
  }
  if (event.kind === "internet")
    return {
      health: { ...health, status: event.isAvailable ? "UNHEALTHY" : "OK" },
      next: checkLater(health.failures),
    };
  const failed = { ...health, failures: health.failures + 1 };
  return failed.failures > TOLERATED_FAILURES
    ? { health: failed, next: { kind: "checkInternet" } }
    : { health: failed, next: checkLater(failed.failures) };
}

const checkLater = (failures: number): NextCheck => ({
  kind: "check",
  afterMs: Math.min(INTERVAL_MS * BACKOFF_FACTOR ** failures, MAX_INTERVAL_MS),
});

/** Order pages stay open whatever happens: they contain the deposit address. */
const ORDER_PAGES = /^\/orders?(?:\/|$)/;

/** Whether the non-working layout replaces a page (path without language prefix). */
export const isPageReplaced = (status: HealthStatus, path: string): boolean =>
  status !== "OK" && !ORDER_PAGES.test(path);
