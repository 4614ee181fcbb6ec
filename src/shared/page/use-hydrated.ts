import {
  createContext,
  createElement,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";

const Hydrated = createContext(true);

/**
 * Says to what it contains that the page is hydrated. By a transition, which renders in slices: `useSyncExternalStore`
 * rendered all that depends on it in one task, 33 ms of processor time on the calculator; now no slice takes over 10
 * ms.
 */
export function HydrationProvider({ children }: { readonly children: ReactNode }) {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => startTransition(() => setHydrated(true)), []);
  return createElement(Hydrated, { value: isHydrated }, children);
}

const subscribe = (): (() => void) => () => undefined;

/** The same for a part whose code comes late: the server rendered it, and it is hydrated when the page has long been. */
export function DeferredHydrationProvider({ children }: { readonly children: ReactNode }) {
  const isPageHydrated = use(Hydrated);
  const isHydrated = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
  return createElement(Hydrated, { value: isPageHydrated && isHydrated }, children);
}

/** False on the server and during hydration, true afterwards: for what only the device knows. */
export const useHydrated = (): boolean => use(Hydrated);

let localZone: string | null = null;

/** The device's time zone. The first formatter took 18 ms of hydration: not while a page is hydrated. */
export const ownTimeZone = (): string => (localZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The user's time zone; UTC until hydrated, so that the browser's first render equals the server's. */
export const useTimeZone = (): string => (useHydrated() ? ownTimeZone() : "UTC");

/** The clock for `formatTime`; UTC until hydrated, while an element with it as `data-clock` is not seen (base.css). */
export const useClock = (): "own" | "UTC" => (useHydrated() ? "own" : "UTC");
