import { type RefObject, useLayoutEffect } from "react";

/** Tells the state what was typed before hydration, which React leaves in the field but never reports. */
export function useKeptInput(
  ref: RefObject<HTMLInputElement | null>,
  value: string,
  onValue: (value: string) => void,
): void {
  useLayoutEffect(() => {
    const typed = ref.current?.value;
    if (typed !== undefined && typed !== value) onValue(typed);
    // Only what stands in the field at hydration counts; later changes come as events.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
}
