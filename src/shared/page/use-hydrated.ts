import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and in the first render of the browser, true afterwards: for what only the device knows. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

let ownZone: string | null = null;

/** The reader's time zone; UTC until hydrated, so that the first render is the same everywhere. */
export function useTimeZone(): string {
  if (!useHydrated()) return "UTC";
  ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
}

/** The clock that the reader's times are told by, for `formatTime`; UTC's until hydrated. */
export const useClock = (): "own" | "UTC" => (useHydrated() ? "own" : "UTC");
