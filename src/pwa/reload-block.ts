import { proxy, subscribe } from "valtio";

const state = proxy({ blocks: 0 });

/** Blocks reloads into an update until the returned function is called, as while an order is being created. */
export function blockReload(): () => void {
  state.blocks += 1;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    state.blocks -= 1;
  };
}

/** Resolves once nothing blocks a reload. */
export function whenUnblocked(): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      if (state.blocks > 0) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = subscribe(state, settle, true);
    settle();
  });
}
