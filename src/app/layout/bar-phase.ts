/** spec §9 */
const THROTTLE_MS = 200;
export const DURATION_MS = 2_000;
const HIDE_DELAY_MS = 500;
const RESET_MS = 400;

export type BarPhase = "idle" | "running" | "full" | "hiding";

export type BarStep = { readonly to: BarPhase; readonly afterMs: number };

/**
 * What the loading bar does next, and when: nothing for a load under 200 ms; then it runs (2000 ms), fills, stays 500 ms, and is
 * reset after 400 ms more. Null while it stays as it is.
 */
export function nextBarPhase(phase: BarPhase, isLoading: boolean): BarStep | null {
  if (isLoading) return phase === "running" ? null : { to: "running", afterMs: THROTTLE_MS };
  if (phase === "running") return { to: "full", afterMs: 0 };
  if (phase === "full") return { to: "hiding", afterMs: HIDE_DELAY_MS };
  return phase === "hiding" ? { to: "idle", afterMs: RESET_MS } : null;
}
