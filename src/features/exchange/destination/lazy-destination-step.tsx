import { useEffect, type RefObject } from "react";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";

/** Prefetched when the user touches or focuses the calculator, unless the page opens with the step. */
export const destinationStep = lazyWithPreload(
  "src/features/exchange/destination/destination-step.tsx",
  async () => (await import("./destination-step.tsx")).DestinationStep,
  ["exchange"],
);

/** Moves the focus to the step when it opens inside the page. */
export function useFocusOnStep(wasOpened: RefObject<boolean>): void {
  useEffect(() => {
    if (!wasOpened.current) return;
    scrollTo(0, 0);
    document.getElementById("destination-title")?.focus({ preventScroll: true });
  }, [wasOpened]);
}
