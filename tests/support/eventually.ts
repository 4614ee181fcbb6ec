import { setTimeout as wait } from "node:timers/promises";

const LOOK_EVERY_MS = 50;

/** What was waited for hasn't come in its time. */
export class TimeoutError extends Error {
  override name = "TimeoutError";
}

/** Polls until `check` returns something other than null, and returns it; throws `TimeoutError` after the limit. */
export async function eventually<Found>(
  what: string,
  check: () => Promise<Found | null> | Found | null,
  withinMs = 60_000,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await check();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new TimeoutError(`waited ${withinMs} ms in vain: ${what}`);
    await wait(LOOK_EVERY_MS);
  }
}
