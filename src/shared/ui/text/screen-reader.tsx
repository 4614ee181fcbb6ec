import { type ReactNode, useEffect, useRef, useState } from "react";

/** Text for screen readers only. */
export const VisuallyHidden = ({ children }: { readonly children: ReactNode }) => (
  <span className="w-visually-hidden">{children}</span>
);

/** Announces `text` politely when it changes, at most once in `throttleMs`; the last change is always announced. */
export function LiveRegion({ text, throttleMs = 3_000 }: { readonly text: string; readonly throttleMs?: number }) {
  const [announced, setAnnounced] = useState("");
  const lastAt = useRef(-Infinity);
  useEffect(() => {
    if (text === announced) return undefined;
    const wait = Math.max(0, lastAt.current + throttleMs - performance.now());
    const timer = setTimeout(() => {
      lastAt.current = performance.now();
      setAnnounced(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text, announced, throttleMs]);
  return (
    <span className="w-visually-hidden" role="status" aria-live="polite">
      {announced}
    </span>
  );
}
