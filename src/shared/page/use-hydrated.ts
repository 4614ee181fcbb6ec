import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and during hydration, true afterwards: for what only the device knows. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

let localZone: string | null = null;

/** The user's time zone; UTC until hydrated, so that the browser's first render equals the server's. */
export function useTimeZone(): string {
  if (!useHydrated()) return "UTC";
  localZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return localZone;
}

/** The clock for `formatTime`; UTC until hydrated. */
export const useClock = (): "own" | "UTC" => (useHydrated() ? "own" : "UTC");
