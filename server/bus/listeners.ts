import { INVALIDATIONS, type Bus, type Invalidation } from "./port.ts";

export type Listeners = { on: Bus["on"]; call(invalidation: Invalidation): void; callAll(): void; clear(): void };

/** The listeners of this process, by invalidation. */
export function createListeners(): Listeners {
  const listeners = new Map<Invalidation, Set<() => void>>(INVALIDATIONS.map((name) => [name, new Set()]));
  const call = (invalidation: Invalidation): void => {
    for (const listener of listeners.get(invalidation) ?? []) listener();
  };
  return {
    on: (invalidation, listener) => {
      listeners.get(invalidation)?.add(listener);
      return () => void listeners.get(invalidation)?.delete(listener);
    },
    call,
    callAll: () => INVALIDATIONS.forEach(call),
    clear: () => listeners.clear(),
  };
}
