const SIGNS = ["pointerdown", "pointermove", "keydown", "focusin", "scroll"] as const;

/** Calls `begin` at the first sign that somebody uses the page; gives what calls it off. */
export function onFirstTouch(begin: () => void): () => void {
  const off = new AbortController();
  const once = () => {
    off.abort();
    begin();
  };
  for (const sign of SIGNS) addEventListener(sign, once, { signal: off.signal, capture: true, passive: true });
  return () => off.abort();
}
