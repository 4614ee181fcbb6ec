import { useEffect, useRef, useState } from "react";

/** Announces `text` politely when it changes, at most once in `throttleMs`; the last one always comes through. */
export function LiveRegion({ text, throttleMs = 3_000 }: { readonly text: string; readonly throttleMs?: number }) {
  const [said, setSaid] = useState("");
  const lastAt = useRef(-Infinity);
  useEffect(() => {
    if (text === said) return undefined;
    const wait = Math.max(0, lastAt.current + throttleMs - performance.now());
    const timer = setTimeout(() => {
      lastAt.current = performance.now();
      setSaid(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text, said, throttleMs]);
  return (
    <span className="w-visually-hidden" role="status" aria-live="polite">
      {said}
    </span>
  );
}
