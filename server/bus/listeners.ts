import { HINTS, type Bus, type Hint } from "./port.ts";

export type Listeners = { on: Bus["on"]; call(hint: Hint): void; callAll(): void; clear(): void };

/** Who waits for which hint in this process. */
export function createListeners(): Listeners {
  const listeners = new Map<Hint, Set<() => void>>(HINTS.map((hint) => [hint, new Set()]));
  const call = (hint: Hint): void => {
    for (const listener of listeners.get(hint) ?? []) listener();
  };
  return {
    on: (hint, listener) => {
      listeners.get(hint)?.add(listener);
      return () => void listeners.get(hint)?.delete(listener);
    },
    call,
    callAll: () => HINTS.forEach(call),
    clear: () => listeners.clear(),
  };
}
