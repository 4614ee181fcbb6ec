import { useEffect, useRef } from "react";
import { feel } from "../../shared/browser/haptics.ts";
import type { Feeling } from "../../telegram/sdk/haptics.ts";
import type { Screen } from "./model/screen.ts";

/** What the hand feels when an order comes to a screen (ui.md §4). */
const FELT: Partial<Record<Screen, Feeling>> = {
  expired: "warning",
  choice: "warning",
  completed: "completed",
  refunded: "completed",
};

/** Lets the hand feel what an order comes to; not the screen that its page opened with. */
export function useFeltScreen(screen: Screen): void {
  const last = useRef(screen);
  useEffect(() => {
    if (last.current === screen) return;
    last.current = screen;
    const feeling = FELT[screen];
    if (feeling !== undefined) feel(feeling);
  }, [screen]);
}
