let blocks = 0;
const waiting = new Set<() => void>();

/** Blocks reloads into an update until the returned function is called, as while an order is being created. */
export function blockReload(): () => void {
  blocks += 1;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    blocks -= 1;
    if (blocks > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
}

/** Resolves once nothing blocks a reload. */
export const whenUnblocked = (): Promise<void> =>
  blocks === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.add(resolve));
