import { useEffect, useRef } from "react";
import { type Haptic, playHaptic } from "../../shared/browser/haptics.ts";
import type { Screen } from "./model/screen.ts";

/** Haptic feedback when an order reaches a screen (ui.md §4). */
const HAPTICS: Partial<Record<Screen, Haptic>> = {
  expired: "warning",
  choice: "warning",
  completed: "completed",
  refunded: "completed",
};

/** Plays haptic feedback when the order's screen changes, not for the screen its page opened with. */
export function useScreenHaptics(screen: Screen): void {
  const last = useRef(screen);
  useEffect(() => {
    if (last.current === screen) return;
    last.current = screen;
    const haptic = HAPTICS[screen];
    if (haptic !== undefined) playHaptic(haptic);
  }, [screen]);
}
