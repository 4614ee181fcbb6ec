import { get, update } from "idb-keyval";
import { useEffect } from "react";
import { proxy, ref, useSnapshot } from "valtio";
import type { Order } from "#contract/order.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";

const KEY = "wherry-orders";
const MAX_SAVED = 20;

/** An order as this device last saw it. */
export type SavedOrder = { order: Order; destinationAddress: string; seenAt: string };

type Dated = { readonly order: { readonly orderId: string }; readonly seenAt: string };
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
  /** The saved orders, as they were last read or changed here. */
  state: state as Readonly<SavedOrdersState>,

  /** Reads it again: other tabs change it too. */
  async read(): Promise<readonly SavedOrder[]> {
    try {
      const { parseSavedOrders } = await import("./saved-order-schema.ts");
      return show(merge(parseSavedOrders(await get(KEY)), memory), false);
    } catch (error) {
      console.warn("saved orders can't be read", error);
      return show(memory, true);
    }
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

  /** The order that this id and address open; null when the device has not seen it. */
  async find(orderId: string, destinationAddress: string): Promise<SavedOrder | null> {
    const isSame = ({ order, destinationAddress: asked }: SavedOrder): boolean =>
      order.orderId === orderId && (asked === destinationAddress || order.destinationAddress === destinationAddress);
    return (await savedOrders.read()).find(isSame) ?? null;
  },
};

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
    if (known === undefined || known.seenAt < item.seenAt) newest.set(item.order.orderId, item);
  }
  return [...newest.values()].toSorted((one, other) => (one.seenAt < other.seenAt ? 1 : -1)).slice(0, MAX_SAVED);
}

const UNREAD: SavedOrdersState = { orders: null, isDenied: false };

/** The saved orders as they are now; unread on the server and in the first render. */
export function useSavedOrders(): Readonly<SavedOrdersState> {
  const shown = useSnapshot(state) as SavedOrdersState;
  useEffect(() => void savedOrders.read(), []);
  return useHydrated() ? shown : UNREAD;
}
