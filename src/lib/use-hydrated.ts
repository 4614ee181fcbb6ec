import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and in the first render of the browser, true afterwards: for what only the device knows. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** The reader's time zone; UTC until hydrated, so that the first render is the same everywhere. */
export function useTimeZone(): string {
  return useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
}
