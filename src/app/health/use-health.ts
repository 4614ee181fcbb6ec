import { useEffect, useRef, useState } from "react";
import type { HealthStatus } from "#contract/health-call.ts";
import type { HealthWatch, Watched } from "./watch.ts";

export type ServiceHealth = { readonly watched: Watched; readonly lookNow: () => void };

/** The service's health, from what the server has rendered on; the watch itself comes after the first paint. */
export function useHealth(first: HealthStatus, renderedAt: string, connectivityUrl: string): ServiceHealth {
  const [watched, setWatched] = useState<Watched>(() => ({
    shown: first,
    failures: 0,
    since: null,
    lookedAt: Date.parse(renderedAt),
    nextAt: null,
  }));
  const watch = useRef<HealthWatch | null>(null);
  const firstWatched = useRef(watched);
  useEffect(() => {
    let isLeft = false;
    const begin = async () => {
      const [{ watchHealth }, { lookAtHealth, askInternet }] = await Promise.all([
        import("./watch.ts"),
        import("./look.ts"),
      ]);
      if (isLeft) return;
      watch.current = watchHealth(firstWatched.current, {
        look: lookAtHealth,
        askInternet: () => askInternet(connectivityUrl),
        show: setWatched,
      });
    };
    begin().catch((error: unknown) => console.warn("the service's health can't be watched", error));
    return () => {
      isLeft = true;
      watch.current?.stop();
    };
  }, [connectivityUrl]);
  return { watched, lookNow: () => watch.current?.lookNow() };
}
