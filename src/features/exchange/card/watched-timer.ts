import { isOnline } from "../../../shared/browser/connectivity.ts";

const isWatched = (): boolean => document.visibilityState === "visible" && isOnline();

/** Calls once the time is over and somebody sees the page, which has a network; gives what calls it off. */
export function afterWatched(ms: number, done: () => void): () => void {
  const off = new AbortController();
  const settle = () => {
    if (!isWatched()) return;
    off.abort();
    done();
  };
  const timer = setTimeout(() => {
    for (const [target, name] of [
      [document, "visibilitychange"],
      [globalThis, "online"],
    ] as const)
      target.addEventListener(name, settle, { signal: off.signal });
    settle();
  }, ms);
  off.signal.addEventListener("abort", () => clearTimeout(timer));
  return () => off.abort();
}
