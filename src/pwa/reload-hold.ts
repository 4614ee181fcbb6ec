let held = 0;
const waiting = new Set<() => void>();

/** No new build is loaded until the returned function was called, as while an order is being created. */
export function holdReload(): () => void {
  held += 1;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    held -= 1;
    if (held > 0) return;
    for (const go of waiting) go();
    waiting.clear();
  };
}

/** Resolves once nothing holds a reload. */
export const untilReleased = (): Promise<void> =>
  held === 0 ? Promise.resolve() : new Promise((go) => void waiting.add(go));
