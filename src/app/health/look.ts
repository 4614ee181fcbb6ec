import { HEALTH_CALL, HEALTH_STATUSES } from "#contract/health-call.ts";
import type { HealthEvent } from "./cycle.ts";

/** Asks the service how it is; without retries, since the cycle itself looks again. */
export async function lookAtHealth(): Promise<HealthEvent> {
  try {
    const answer = await fetch(HEALTH_CALL.path, {
      cache: "no-store",
      signal: AbortSignal.timeout(HEALTH_CALL.timeoutMs),
    });
    return answer.ok ? readHealth(await answer.json()) : { kind: "failure" };
  } catch (error) {
    console.debug("the service didn't answer", error);
    return { kind: "failure" };
  }
}

function readHealth(body: unknown): HealthEvent {
  const status = typeof body === "object" && body !== null && "status" in body ? body.status : undefined;
  return { kind: "answer", status: HEALTH_STATUSES.find((known) => known === status) ?? "UNKNOWN" };
}

const INTERNET_MS = 5_000;

/** Whether a public DNS-over-HTTPS query gets an answer. */
export async function askInternet(url: string): Promise<HealthEvent> {
  if (!navigator.onLine) return { kind: "internet", isThere: false };
  try {
    const answer = await fetch(url, {
      headers: { accept: "application/dns-json" },
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(INTERNET_MS),
    });
    return { kind: "internet", isThere: answer.ok };
  } catch (error) {
    console.debug("no internet", error);
    return { kind: "internet", isThere: false };
  }
}
