import { setTimeout as wait } from "node:timers/promises";

const LOOK_EVERY_MS = 50;

/** Polls until `check` returns something other than null, and returns it; throws after the limit. */
export async function eventually<Found>(
  what: string,
  check: () => Promise<Found | null> | Found | null,
  withinMs = 60_000,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await check();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await wait(LOOK_EVERY_MS);
  }
}
