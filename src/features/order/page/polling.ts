import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isOnline } from "../../../shared/browser/connectivity.ts";

const isVisible = (): boolean => document.visibilityState === "visible";

/** A hidden or offline page asks for nothing. */
export const isWatched = (): boolean => isVisible() && isOnline();

/** SWR's options for what is polled while the page is watched, and asked for at once when it is again. */
export const WHILE_WATCHED = { isVisible, isOnline, focusThrottleInterval: 0, dedupingInterval: 0 } as const;

/**
 * Signals for requests, which are broken off when the page is hidden, since the back-forward cache would freeze them,
 * and by `abort`.
 */
export function useAbortOnHide(): { readonly begin: () => AbortSignal; readonly abort: () => void } {
  const running = useRef<AbortController>(null);
  const [control] = useState(() => ({
    begin: () => (running.current = new AbortController()).signal,
    abort: () => running.current?.abort(),
  }));
  useEffect(() => {
    addEventListener("pagehide", control.abort);
    return () => removeEventListener("pagehide", control.abort);
  }, [control]);
  return control;
}

/** Calls back when the page comes out of the back-forward cache, of which SWR knows nothing. */
export function useOnRestore(onRestore: () => void): void {
  const restore = useEffectEvent(onRestore);
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) restore();
    };
    addEventListener("pageshow", onPageShow);
    return () => removeEventListener("pageshow", onPageShow);
  }, []);
}
