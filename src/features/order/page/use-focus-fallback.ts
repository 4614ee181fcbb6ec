import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to `target` when what had it has gone with the state before: from the body nobody finds back. */
export function useFocusFallback(target: RefObject<HTMLElement | null>): void {
  const last = useRef<Element | null>(null);

  useEffect(() => {
    const gain = ({ target: gained }: FocusEvent) => {
      last.current = gained instanceof Element ? gained : null;
    };
    const lose = ({ target: lost }: FocusEvent) => {
      // Removed elements lose the focus as well; whoever left one that stays wanted to.
      queueMicrotask(() => {
        if (last.current === lost && lost instanceof Element && lost.isConnected) last.current = null;
      });
    };
    document.addEventListener("focusin", gain);
    document.addEventListener("focusout", lose);
    return () => {
      document.removeEventListener("focusin", gain);
      document.removeEventListener("focusout", lose);
    };
  }, []);

  // At every change of the order: its controls go with its states.
  useEffect(() => {
    const isLost = last.current?.isConnected === false && document.activeElement === document.body;
    if (!isLost) return;
    last.current = null;
    target.current?.focus({ preventScroll: true });
  });
}
