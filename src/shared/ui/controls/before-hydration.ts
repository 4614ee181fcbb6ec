import { useLayoutEffect } from "react";

/**
 * Reports what was typed or chosen before hydration: React leaves it in the control but fires no event for it. `read` gives the
 * control's own value.
 */
export function useValueBeforeHydration<Value>(
  read: () => Value | undefined,
  value: Value,
  onValue: (value: Value) => void,
): void {
  useLayoutEffect(() => {
    const own = read();
    if (own !== undefined && own !== value) onValue(own);
    // Later changes come as events.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
}
