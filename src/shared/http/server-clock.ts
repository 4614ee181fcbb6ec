/** By less than this, an answer's way to us explains the difference. */
const SAME_MS = 500;

let offset: number | null = null;
const listeners = new Set<() => void>();

/** Learns the server's clock from the time that an answer carries (contract §1). */
export function learnServerTime(time: string | null): void {
  const measured = Date.parse(time ?? "") - Date.now();
  if (Number.isNaN(measured) || (offset !== null && Math.abs(measured - offset) < SAME_MS)) return;
  offset = measured;
  for (const listener of listeners) listener();
}

/** How far the server's clock is ahead of this device's, in milliseconds; null before an answer has told. */
export const serverOffset = (): number | null => offset;

/** The server's clock in milliseconds; by `otherwise`, another measure of its offset, as long as no answer has told. */
export const serverNow = (otherwise = 0): number => Date.now() + (offset ?? otherwise);

/** Calls the listener each time that the offset has changed; returns the function that stops it. */
export function onServerOffset(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Nothing has been answered yet.
 *
 * @internal Exported for its tests.
 */
export function forgetServerTime(): void {
  offset = null;
}
