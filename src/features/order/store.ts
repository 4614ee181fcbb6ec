import { get, update } from "idb-keyval";
import { useEffect, useMemo } from "react";
import { proxy, ref, useSnapshot } from "valtio";
import type { Order } from "#contract/order.ts";
import { signedIn } from "../../shared/account/signed-in.ts";
import { useHydrated } from "../../shared/page/use-hydrated.ts";

const KEY = "wherry-orders";
const MAX_SAVED = 20;

/** An order as this device last saw it. `userId`: who was signed in when it did; to anybody else it is not shown. */
export type SavedOrder = { order: Order; destinationAddress: string; seenAt: string; userId?: number | undefined };

type Dated = { readonly order: { readonly orderId: string }; readonly seenAt: string; readonly userId?: unknown };
type Change = <Item extends Dated>(before: readonly (Item | SavedOrder)[]) => readonly (Item | SavedOrder)[];

type SavedOrdersState = {
  /** The order that was seen last comes first; null until the device was asked. */
  orders: readonly SavedOrder[] | null;
  /** The browser denies access to its storage. */
  isDenied: boolean;
};

const state = proxy<SavedOrdersState>({ orders: null, isDenied: false });
/** Orders that could not be stored; they live as long as the page. */
let memory: readonly SavedOrder[] = [];

/** The last orders seen on this device, in its IndexedDB; where storage is denied they live as long as the page. */
export const savedOrders = {
  /** The saved orders, as they were last read or changed here, whoever saw them. */
  state: state as Readonly<SavedOrdersState>,

  /** Reads again what may be shown now: other tabs change it too. */
  async read(): Promise<readonly SavedOrder[]> {
    return (await readAll()).filter((saved) => isShownTo(saved, signedIn.userId));
  },

  /** Saves an order; beyond 20 the one that was seen longest ago is removed. */
  save: (saved: SavedOrder): Promise<void> => change((before) => merge([saved], before)),

  /** Updates a saved order; one that was removed meanwhile stays removed. */
  renew: (saved: SavedOrder): Promise<void> =>
    change((before) =>
      before.some(({ order }) => order.orderId === saved.order.orderId) ? merge([saved], before) : before,
    ),

  /** Removes orders from this device; at the service they continue. */
  forget: (orderIds: readonly string[]): Promise<void> =>
    change((before) => before.filter(({ order }) => !orderIds.includes(order.orderId))),

  /** Removes what a person saw who is not the one on the device now: by their id, and by their email what was saved before they had signed in. */
  forgetPerson: (userId: number, email: string | null): Promise<void> =>
    change((before) =>
      before.filter((saved) => saved.userId !== userId && (email === null || Object(saved.order).userEmail !== email)),
    ),

  /** The order that this id and address open, for whoever knows both; null when the device has not seen it. */
  async find(orderId: string, destinationAddress: string): Promise<SavedOrder | null> {
    const isSame = ({ order, destinationAddress: asked }: SavedOrder): boolean =>
      order.orderId === orderId && (asked === destinationAddress || order.destinationAddress === destinationAddress);
    return (await readAll()).find(isSame) ?? null;
  },
};

async function readAll(): Promise<readonly SavedOrder[]> {
  try {
    const { parseSavedOrders } = await import("./model/saved-order.ts");
    return show(merge(parseSavedOrders(await get(KEY)), memory), false);
  } catch (error) {
    console.warn("saved orders can't be read", error);
    return show(memory, true);
  }
}

/** Replaces the value in one step, so that two tabs don't lose each other's orders. */
async function change(to: Change): Promise<void> {
  try {
    await update(KEY, (before) => to(datedItems(before)));
    if (memory.length > 0) memory = to(memory);
  } catch (error) {
    memory = to(memory);
    console.warn("saved orders can't be changed", error);
  }
  if (state.orders !== null) show(to<SavedOrder>(state.orders), state.isDenied);
}

function show(orders: readonly SavedOrder[], isDenied: boolean): readonly SavedOrder[] {
  // Whole, since an order never changes in place.
  Object.assign(state, { orders: ref(orders), isDenied });
  return orders;
}

/** What a guest saw is everybody's on this device; its link is all that opens it. */
const isShownTo = (saved: SavedOrder, userId: number | null): boolean =>
  saved.userId === undefined || saved.userId === userId;

/** Items that can be ordered by time; what another version wrote in another shape is dropped. */
function datedItems(value: unknown): Dated[] {
  return Array.isArray(value) ? value.filter(isDated) : [];
}

/** Orders are checked whole where they are read, so that saving one needs no schema. */
function isDated(item: unknown): item is Dated {
  const { order, seenAt } = { ...Object(item) };
  return typeof Object(order).orderId === "string" && typeof seenAt === "string";
}

function merge<Item extends Dated>(first: readonly Item[], second: readonly Item[]): Item[] {
  const newest = new Map<string, Item>();
  for (const item of [...first, ...second]) {
    const known = newest.get(item.order.orderId);
    const [seen, before] = known === undefined || known.seenAt < item.seenAt ? [item, known] : [known, item];
    // A session that has ended meanwhile doesn't make it a guest's.
    const userId = seen.userId ?? before?.userId;
    newest.set(item.order.orderId, userId === undefined ? seen : { ...seen, userId });
  }
  return [...newest.values()].toSorted((one, other) => (one.seenAt < other.seenAt ? 1 : -1)).slice(0, MAX_SAVED);
}

const UNREAD: SavedOrdersState = { orders: null, isDenied: false };

/** The saved orders that may be shown now; unread on the server and in the first render. */
export function useSavedOrders(): Readonly<SavedOrdersState> {
  const { orders, isDenied } = useSnapshot(state) as SavedOrdersState;
  const { userId } = useSnapshot(signedIn);
  useEffect(() => void savedOrders.read(), []);
  const shown = useMemo(() => orders?.filter((saved) => isShownTo(saved, userId)) ?? null, [orders, userId]);
  return useHydrated() ? { orders: shown, isDenied } : UNREAD;
}
