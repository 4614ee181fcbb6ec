import { proxy, useSnapshot } from "valtio";

export type Update = {
  /** The latest build's id, or `worker` where only a waiting worker is known. */
  readonly build: string;
  /** A chunk of this page is gone with its build: the page can't go on without the update. */
  readonly isNeeded: boolean;
};

const store = proxy<{ update: Update | null }>({ update: null });

/** Offers an update, by whichever signal comes first; again once it is needed. */
export function offerUpdate(next: Update): void {
  const { update } = store;
  if (update?.build === next.build && (update.isNeeded || !next.isNeeded)) return;
  store.update = next;
}

/** The update that waits to be loaded; null while this page is the latest. */
export const useUpdate = (): Update | null => useSnapshot(store).update;
