import { INVALIDATIONS, type Bus, type Invalidation } from "./port.ts";

export type Listeners = { on: Bus["on"]; call(hint: Invalidation): void; callAll(): void; clear(): void };

/** Who waits for which hint in this process. */
export function createListeners(): Listeners {
  const listeners = new Map<Invalidation, Set<() => void>>(INVALIDATIONS.map((hint) => [hint, new Set()]));
  const call = (hint: Invalidation): void => {
    for (const listener of listeners.get(hint) ?? []) listener();
  };
  return {
    on: (hint, listener) => {
      listeners.get(hint)?.add(listener);
      return () => void listeners.get(hint)?.delete(listener);
    },
    call,
    callAll: () => INVALIDATIONS.forEach(call),
    clear: () => listeners.clear(),
  };
}
