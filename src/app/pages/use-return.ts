import { useEffect, useEffectEvent } from "react";

const LOOK_MS = 5_000;

/** While the service can't be reached or is broken, calls back as soon as the network is there again and every 5 s while the page is seen. */
export function useReturn(isAwaited: boolean, onLook: () => void): void {
  const look = useEffectEvent(onLook);
  useEffect(() => {
    if (!isAwaited) return undefined;
    const lookOut = () => look();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && navigator.onLine) look();
    }, LOOK_MS);
    globalThis.addEventListener("online", lookOut);
    return () => {
      clearInterval(timer);
      globalThis.removeEventListener("online", lookOut);
    };
  }, [isAwaited]);
}
