import { useEffect, useRef } from "react";
import { sessionStore } from "../../../shared/browser/storage.ts";
import type { Screen } from "../model/view/screen.ts";

/** Whoever scrolled, touched or typed within this time is reading: their place is theirs. */
const READING_MS = 4_000;
const READS = ["wheel", "touchmove", "keydown"] as const;
/** Asking for the place at each of a wheel's events would lay out the page each time. */
const PLACE_MS = 250;

const KEY = "order-screen";

/**
 * Shows the top of the order when its screen changes, also while it was being reloaded, so that the new state is seen. Somebody who
 * reads further down keeps their place, unless it went with the old state.
 */
export function useStateInView(screen: Screen, orderId: string): void {
  const last = useRef(screen);
  const reading = useReading();

  useEffect(() => {
    const seen = sessionStore.get(KEY);
    sessionStore.set(KEY, `${orderId} ${screen}`);
    // The browser restores the place of the screen before.
    if (seen?.startsWith(`${orderId} `) === true && seen !== `${orderId} ${screen}` && last.current === screen)
      showTop("instant");
  }, [orderId, screen]);

  useEffect(() => {
    if (last.current === screen) return;
    last.current = screen;
    const { at, place } = reading.current;
    const isReading = performance.now() - at < READING_MS && place?.isConnected !== false;
    if (isReading || isTyping() || hasOpenDialog()) return;
    showTop(matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");
  }, [screen, reading]);
}

const showTop = (behavior: ScrollBehavior): void => globalThis.scrollTo({ top: 0, behavior });

type Reading = { at: number; place: Element | null };

/** When somebody last moved on the page, and what was then in the middle of the screen. */
function useReading() {
  const reading = useRef<Reading>({ at: Number.NEGATIVE_INFINITY, place: null });
  useEffect(() => {
    const note = () => {
      const now = performance.now();
      const { at, place } = reading.current;
      reading.current = { at: now, place: now - at < PLACE_MS ? place : placeRead() };
    };
    for (const name of READS) globalThis.addEventListener(name, note, { passive: true });
    return () => {
      for (const name of READS) globalThis.removeEventListener(name, note);
    };
  }, []);
  return reading;
}

const placeRead = (): Element | null => document.elementFromPoint(innerWidth / 2, innerHeight / 2);

const isTyping = (): boolean => document.activeElement?.matches("input, textarea") === true;

const hasOpenDialog = (): boolean => document.querySelector("dialog[open]") !== null;
