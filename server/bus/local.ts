import { createListeners, type Listeners } from "./listeners.ts";
import type { Bus } from "./port.ts";

/** A bus inside one process. Without Redis each process is alone on its own, and finds the others' changes by polling. */
export function createLocalHub(): { join(): Bus } {
  const members = new Set<Listeners>();
  return {
    join() {
      const mine = createListeners();
      members.add(mine);
      return {
        on: mine.on,
        publish: (invalidation) => {
          for (const member of members)
            if (member !== mine) queueMicrotask(() => members.has(member) && member.call(invalidation));
        },
        close: async () => void members.delete(mine),
      };
    },
  };
}
