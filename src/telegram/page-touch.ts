/** A signal that aborts when the user touches the page itself. */
export function onPageTouch(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const touched = new AbortController();
  const stopped = new AbortController();
  addEventListener("pointerdown", () => touched.abort(), { capture: true, once: true, signal: stopped.signal });
  return { signal: touched.signal, stop: () => stopped.abort() };
}
