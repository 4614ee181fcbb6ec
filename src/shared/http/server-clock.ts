import { proxy, useSnapshot } from "valtio";
import { useHydrated } from "../page/use-hydrated.ts";

/** By less than this, an answer's way to us explains the difference. */
const SAME_MS = 500;

const clock = proxy({ offset: null as number | null });

/** Learns the server's clock from the time that an answer carries (contract §1). */
export function learnServerTime(time: string | null): void {
  const measured = Date.parse(time ?? "") - Date.now();
  if (Number.isNaN(measured) || (clock.offset !== null && Math.abs(measured - clock.offset) < SAME_MS)) return;
  clock.offset = measured;
}

/** How far the server's clock is ahead of this device's, in milliseconds; null before the first answer, and in the first render. */
export function useAnsweredOffset(): number | null {
  const { offset } = useSnapshot(clock);
  return useHydrated() ? offset : null;
}

/** The server's clock in milliseconds; by `otherwise`, another measure of its offset, before the first answer. */
export const serverNow = (otherwise = 0): number => Date.now() + (clock.offset ?? otherwise);

/**
 * Nothing has been answered yet.
 *
 * @internal Exported for its tests.
 */
export function forgetServerTime(): void {
  clock.offset = null;
}
