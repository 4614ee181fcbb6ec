import { get, update } from "idb-keyval";
import { useEffect } from "react";
import { proxy, ref, useSnapshot } from "valtio";
import type { Order } from "#contract/order.ts";
import { useHydrated } from "../../shared/page/use-hydrated.ts";

const KEY = "wherry-orders";
const MAX_KEPT = 20;

/** An order as this device last saw it. */
export type SavedOrder = { order: Order; destinationAddress: string; seenAt: string };

type Placed = { readonly order: { readonly orderId: string }; readonly seenAt: string };
type Change = <Kept extends Placed>(before: readonly (Kept | SavedOrder)[]) => readonly (Kept | SavedOrder)[];

type SavedOrdersState = {
  /** The order that was seen last comes first; null until the device was asked. */
  orders: readonly SavedOrder[] | null;
  /** The device does not tell what it keeps. */
  isDenied: boolean;
};

const state = proxy<SavedOrdersState>({ orders: null, isDenied: false });
/** What the device did not take. */
let memory: readonly SavedOrder[] = [];

/** The last orders seen on this device, in its IndexedDB; where storage is denied they live as long as the page. */
export const savedOrders = {
  /** What the device keeps, as it was last read or changed here. */
  state: state as Readonly<SavedOrdersState>,

  /** Reads it again: other tabs change it too. */
  async read(): Promise<readonly SavedOrder[]> {
    try {
      const { parseSavedOrders } = await import("./saved-order-schema.ts");
      return show(merge(parseSavedOrders(await get(KEY)), memory), false);
    } catch (error) {
      console.warn("kept orders can't be read", error);
      return show(memory, true);
    }
  },

  /** Remembers what was just seen; the oldest ones make room. */
  keep: (saved: SavedOrder): Promise<void> => change((before) => merge([saved], before)),

  /** Takes a newer sight of an order, unless it was forgotten meanwhile. */
  renew: (saved: SavedOrder): Promise<void> =>
    change((before) =>
      before.some(({ order }) => order.orderId === saved.order.orderId) ? merge([saved], before) : before,
    ),

  /** Lets these orders go from this device; at the service they go on. */
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
    await update(KEY, (before) => to(placeable(before)));
    if (memory.length > 0) memory = to(memory);
  } catch (error) {
    memory = to(memory);
    console.warn("what is kept of orders on this device can't be changed", error);
  }
  if (state.orders !== null) show(to<SavedOrder>(state.orders), state.isDenied);
}

function show(orders: readonly SavedOrder[], isDenied: boolean): readonly SavedOrder[] {
  // Whole, since an order never changes in place.
  Object.assign(state, { orders: ref(orders), isDenied });
  return orders;
}

/** Enough of a kept order to find its place; what another version wrote otherwise is let go. */
function placeable(value: unknown): Placed[] {
  return Array.isArray(value) ? value.filter(isPlaceable) : [];
}

/** Orders are checked whole where they are read, so that keeping one needs no schema. */
function isPlaceable(item: unknown): item is Placed {
  const { order, seenAt } = { ...Object(item) };
  return typeof Object(order).orderId === "string" && typeof seenAt === "string";
}

function merge<Kept extends Placed>(first: readonly Kept[], second: readonly Kept[]): Kept[] {
  const newest = new Map<string, Kept>();
  for (const kept of [...first, ...second]) {
    const known = newest.get(kept.order.orderId);
    if (known === undefined || known.seenAt < kept.seenAt) newest.set(kept.order.orderId, kept);
  }
  return [...newest.values()].toSorted((one, other) => (one.seenAt < other.seenAt ? 1 : -1)).slice(0, MAX_KEPT);
}

const UNREAD: SavedOrdersState = { orders: null, isDenied: false };

/** The saved orders as they are now; unread on the server and in the first render. */
export function useSavedOrders(): Readonly<SavedOrdersState> {
  const shown = useSnapshot(state) as SavedOrdersState;
  useEffect(() => void savedOrders.read(), []);
  return useHydrated() ? shown : UNREAD;
}
