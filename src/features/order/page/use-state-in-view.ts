import { useEffect, useRef } from "react";
import type { Screen } from "../model/screen.ts";

/** Whoever scrolled, touched or typed within this time is reading: their place is theirs. */
const READING_MS = 4_000;
const READS = ["wheel", "touchmove", "keydown"] as const;

/** Shows the top of the order when its screen changes, so that the new state is seen; not to somebody who is reading further down. */
export function useStateInView(screen: Screen): void {
  const last = useRef(screen);
  const readAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const note = () => {
      readAt.current = performance.now();
    };
    for (const name of READS) globalThis.addEventListener(name, note, { passive: true });
    return () => {
      for (const name of READS) globalThis.removeEventListener(name, note);
    };
  }, []);

  useEffect(() => {
    if (last.current === screen) return;
    last.current = screen;
    if (performance.now() - readAt.current < READING_MS || isTyping() || hasOpenDialog()) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    globalThis.scrollTo({ top: 0, behavior: isStill ? "instant" : "smooth" });
  }, [screen]);
}

const isTyping = (): boolean => document.activeElement?.matches("input, textarea") === true;

const hasOpenDialog = (): boolean => document.querySelector("dialog[open]") !== null;
