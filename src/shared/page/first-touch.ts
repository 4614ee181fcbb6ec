const SIGNS = ["pointerdown", "pointermove", "keydown", "focusin", "scroll"] as const;

/** Calls `begin` at the first sign that somebody uses the page; returns a function that cancels it. */
export function onFirstTouch(begin: () => void): () => void {
  const off = new AbortController();
  const once = () => {
    off.abort();
    begin();
  };
  for (const sign of SIGNS) addEventListener(sign, once, { signal: off.signal, capture: true, passive: true });
  return () => off.abort();
}

let touched: Promise<void> | null = null;

/** Resolves at the first such sign since it was asked for first, as the app does when it starts: one promise for the page's life. */
export const firstTouch = (): Promise<void> => (touched ??= new Promise((resolve) => void onFirstTouch(resolve)));
