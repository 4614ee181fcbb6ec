import { CallError } from "../../shared/http/call-error.ts";
import { call } from "../../shared/http/http.ts";
import { cycle, type Health, type HealthEvent } from "./cycle.ts";

export type HealthObservation = Health & {
  /** When the status began, the last check and the next one, in milliseconds; null while unknown. */
  readonly since: number | null;
  readonly checkedAt: number | null;
  readonly nextAt: number | null;
  /** From the last check to the next. */
  readonly intervalMs: number;
};

export type ServiceHealth = { readonly health: HealthObservation; readonly checkNow: () => void };

/** One turn of the health check cycle (spec §4). */
export async function observeHealth(last: HealthObservation, connectivityUrl: string): Promise<HealthObservation> {
  let step = cycle(last, await checkHealth());
  if (step.next.kind === "checkInternet") step = cycle(step.health, await checkInternet(connectivityUrl));
  const { health, next } = step;
  const checkedAt = Date.now();
  const intervalMs = next.kind === "check" ? next.afterMs : last.intervalMs;
  const since = health.status === last.status ? last.since : checkedAt;
  return { ...health, since, checkedAt, nextAt: checkedAt + intervalMs, intervalMs };
}

/** Without retries: the cycle itself repeats the check. */
async function checkHealth(): Promise<HealthEvent> {
  try {
    const { status } = await call("health", { retries: 0, cache: "no-store" });
    return { kind: "answer", status };
  } catch (error) {
    if (error instanceof CallError && error.kind === "unreadable" && error.isJson && error.httpStatus === 200) {
      return { kind: "answer", status: "UNKNOWN" };
    }
    console.debug("the health check failed", error);
    return { kind: "failure" };
  }
}

const INTERNET_TIMEOUT_MS = 5_000;

/** Whether a public DNS-over-HTTPS query is answered. */
async function checkInternet(url: string): Promise<HealthEvent> {
  if (!navigator.onLine) return { kind: "internet", isAvailable: false };
  try {
    const answer = await fetch(url, {
      headers: { accept: "application/dns-json" },
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(INTERNET_TIMEOUT_MS),
    });
    return { kind: "internet", isAvailable: answer.ok };
  } catch (error) {
    console.debug("the connectivity check failed", error);
    return { kind: "internet", isAvailable: false };
  }
}
