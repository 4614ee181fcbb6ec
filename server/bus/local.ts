import { createListeners, type Listeners } from "./listeners.ts";
import type { Bus } from "./port.ts";

/** A bus inside one process. Where nobody else joins, as without Redis, every process finds the others' changes by its own turns. */
export function createLocalHub(): { join(): Bus } {
  const members = new Set<Listeners>();
  return {
    join() {
      const mine = createListeners();
      members.add(mine);
      return {
        on: mine.on,
        tell: (hint) => {
          for (const member of members)
            if (member !== mine) queueMicrotask(() => members.has(member) && member.call(hint));
        },
        close: async () => void members.delete(mine),
      };
    },
  };
}
