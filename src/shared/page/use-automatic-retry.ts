import { useEffect, useEffectEvent } from "react";

const RETRY_MS = 5_000;

/** Retries when the network returns, and every 5 s while the page is visible. */
export function useAutomaticRetry(isEnabled: boolean, onRetry: () => void): void {
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const retryNow = () => retry();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && navigator.onLine) retry();
    }, RETRY_MS);
    globalThis.addEventListener("online", retryNow);
    return () => {
      clearInterval(timer);
      globalThis.removeEventListener("online", retryNow);
    };
  }, [isEnabled]);
}
