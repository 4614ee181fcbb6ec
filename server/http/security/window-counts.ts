import { setBounded } from "../../base/bounded-map.ts";

export type Spent = { isExceeded: boolean; ttlInSeconds: number };
export type Counted = Spent & { remaining: number };

type WindowCounts = { max: number; windowMs: number; names: number; now?: () => number };

/**
 * Counts how often each name comes within a window that begins with its first time; the least recently counted of too many names is
 * forgotten. Gives whether it was once too often, how often it may still come, and in how many seconds its window ends.
 */
export function createWindowCounts({ max, windowMs, names, now = () => performance.now() }: WindowCounts) {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (name: string): Counted => {
    const at = now();
    const known = windows.get(name);
    const window = known === undefined || known.endsAt <= at ? { count: 0, endsAt: at + windowMs } : known;
    window.count += 1;
    setBounded(windows, name, window, names);
    return {
      isExceeded: window.count > max,
      remaining: Math.max(0, max - window.count),
      ttlInSeconds: Math.ceil((window.endsAt - at) / 1_000),
    };
  };
}
