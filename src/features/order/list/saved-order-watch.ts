import { keepsPolling } from "#contract/order-progress.ts";
import type { SavedOrder, SavedOrders } from "../store.ts";
import { isAddressIncorrect } from "../load.ts";

/** Between two rounds of looks at the orders that are not finished: one page may list many. */
const ROUND_MS = 30_000;

/** What the list shows. */
export type SavedOrderListState = {
  /** Null until the device has told. */
  readonly orders: readonly SavedOrder[] | null;
  /** The device does not tell what it keeps. */
  readonly isDenied: boolean;
  /** The last round found the service away: rows are older than they should be. */
  readonly isFailing: boolean;
  /** Ids that the service knows no more. */
  readonly gone: ReadonlySet<string>;
};

export const EMPTY_LIST: SavedOrderListState = { orders: null, isDenied: false, isFailing: false, gone: new Set() };

type WatchParts = {
  readonly kept: Pick<SavedOrders, "state" | "read" | "renew">;
  readonly look: (kept: SavedOrder, signal: AbortSignal) => Promise<SavedOrder>;
  /** A hidden or offline page does not look. */
  readonly isWatched: () => boolean;
  readonly onChange: (shelf: SavedOrderListState) => void;
};

export type SavedOrderWatch = {
  /** Reads the device's list anew and begins a round, unless one is under way. */
  refresh: () => Promise<void>;
  /** Ends the round that is under way; `refresh` goes on. */
  pause: () => void;
};

/** Shows the orders kept on the device at once, and looks at the unfinished ones, one after the other, in rounds. */
export function watchSavedOrders({ kept, look, isWatched, onChange }: WatchParts): SavedOrderWatch {
  let shelf = EMPTY_LIST;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | null = null;

  const change = (changes: Partial<SavedOrderListState>) => {
    shelf = { ...shelf, ...changes };
    onChange(shelf);
  };
  const read = async () => {
    const orders = await kept.read();
    change({ orders, isDenied: kept.state.isDenied });
  };
  const lookAt = async (one: SavedOrder, { signal }: AbortController): Promise<boolean> => {
    try {
      await kept.renew(await look(one, signal));
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (isAddressIncorrect(error)) {
        change({ gone: new Set([...shelf.gone, one.order.orderId]) });
        return true;
      }
      console.debug("kept orders can't be looked at now", error);
      change({ isFailing: true });
      return false;
    }
  };
  const round = async (mine: AbortController) => {
    await read();
    for (const one of shelf.orders ?? []) {
      if (mine.signal.aborted || !isWatched()) return;
      if (!isOpen(one, shelf)) continue;
      if (!(await lookAt(one, mine))) return;
      await read();
    }
    change({ isFailing: false });
  };
  const pause = () => {
    clearTimeout(timer);
    running?.abort();
    running = null;
  };
  const refresh = async () => {
    if (running !== null) return;
    clearTimeout(timer);
    const mine = new AbortController();
    running = mine;
    await round(mine);
    if (running !== mine) return;
    running = null;
    timer = setTimeout(() => isWatched() && void refresh(), ROUND_MS);
  };
  return { refresh, pause };
}

/** Something may still happen to it, and the service knows it. */
const isOpen = ({ order }: SavedOrder, { gone }: SavedOrderListState): boolean =>
  keepsPolling(order.orderEvents, gone.has(order.orderId));
