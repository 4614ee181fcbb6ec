import { useEffect, type RefObject } from "react";
import { preloadable } from "../../../shared/page/preloadable.tsx";

/** The step's code comes with the reader's first touch, unless the page opens with it. */
export const lateStep = preloadable(
  "src/features/exchange/destination/destination-step.tsx",
  async () => (await import("./destination-step.tsx")).DestinationStep,
  ["steps"],
);

/** Moves the focus to the step when it opens inside the page. */
export function useArrivalAtStep(wasOpened: RefObject<boolean>): void {
  useEffect(() => {
    if (!wasOpened.current) return;
    scrollTo(0, 0);
    document.getElementById("destination-title")?.focus({ preventScroll: true });
  }, [wasOpened]);
}
