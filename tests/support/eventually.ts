import { setTimeout as wait } from "node:timers/promises";

const LOOK_EVERY_MS = 50;

/** Looks until `look` gives something other than null, and gives that; throws when it does not come in time. */
export async function eventually<Found>(
  what: string,
  look: () => Promise<Found | null> | Found | null,
  withinMs = 60_000,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await wait(LOOK_EVERY_MS);
  }
}
