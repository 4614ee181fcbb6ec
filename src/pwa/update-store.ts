import { useSyncExternalStore } from "react";

export type Update = {
  /** The newest build's id, or `worker` where only the worker is known to wait. */
  readonly build: string;
  /** A part of this page's code is gone with its build: the page can't go on without the new one. */
  readonly isNeeded: boolean;
};

let update: Update | null = null;
const listeners = new Set<() => void>();

/** Told by whichever signal comes first, and again once the update is needed. */
export function announceUpdate(next: Update): void {
  if (update?.build === next.build && (update.isNeeded || !next.isNeeded)) return;
  update = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The build that waits to be loaded; null while this page is the newest. */
export const useUpdate = (): Update | null =>
  useSyncExternalStore(
    subscribe,
    () => update,
    () => null,
  );
