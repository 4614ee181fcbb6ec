import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { createSavedOrders, type SavedOrder } from "../store.ts";
import { at, sampleOrder } from "../model/sample-order.ts";
import { type SavedOrderListState, watchSavedOrders } from "./saved-order-watch.ts";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const DONE: OrderEventKind[] = [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"];

const kept = (name: string, kinds: readonly OrderEventKind[], seconds = 1): SavedOrder => ({
  order: sampleOrder(kinds, { orderId: `AAAAAAAAAAAAAAAAAAAAAAA${name}` }),
  destinationAddress: "0xto",
  seenAt: at(seconds),
});
const nameOf = ({ order }: SavedOrder): string => order.orderId.slice(-1);

/** A device with some orders, and a service that has them paid, a second per answer. */
function world(...before: SavedOrder[]) {
  let stored: unknown = before;
  const service = { isWatched: true, failure: null as Error | null, asked: [] as string[], broken: 0 };
  const orders = createSavedOrders({
    get: async () => stored,
    update: async (_key, change) => void (stored = change(stored)),
  });
  const told: SavedOrderListState[] = [];
  const watch = watchSavedOrders({
    kept: orders,
    look: async (one, signal) => {
      service.asked.push(nameOf(one));
      const { failure } = service;
      const breakOff = () => (service.broken += 1);
      signal.addEventListener("abort", breakOff);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      signal.removeEventListener("abort", breakOff);
      if (failure !== null) throw failure;
      return { ...one, order: sampleOrder(DONE, { orderId: one.order.orderId }), seenAt: at(99) };
    },
    isWatched: () => service.isWatched,
    onChange: (shelf) => told.push(shelf),
  });
  return { service, orders, watch, told, shelf: () => told.at(-1) };
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

beforeEach(async () => {
  await import("../saved-order-schema.ts");
  vi.useFakeTimers();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the orders of a device", () => {
  it("are shown at once, and the unfinished ones looked at one after the other", async () => {
    const { service, watch, told, shelf, orders } = world(kept("a", PAID, 3), kept("b", DONE, 2), kept("c", PAID, 1));
    void watch.refresh();
    await pass(0);
    expect(told[0]?.orders?.map(nameOf)).toEqual(["a", "b", "c"]);
    expect(service.asked).toEqual(["a"]);
    await pass(2);
    expect(service.asked).toEqual(["a", "c"]);
    expect(shelf()?.orders?.map(({ seenAt }) => seenAt)).toEqual([at(99), at(99), at(2)]);
    expect((await orders.read()).filter(({ seenAt }) => seenAt === at(99))).toHaveLength(2);
  });

  it("are looked at again half a minute later, until all are finished", async () => {
    const { service, watch } = world(kept("a", PAID));
    service.failure = new CallError({ kind: "network", message: "gone" });
    void watch.refresh();
    await pass(30.9);
    expect(service.asked).toHaveLength(1);
    service.failure = null;
    await pass(1);
    expect(service.asked).toHaveLength(2);
    await pass(300);
    expect(service.asked).toHaveLength(2);
  });

  it("say that they are old while the service is away, which ends the round, and that they are not once it is back", async () => {
    const { service, watch, shelf } = world(kept("a", PAID, 2), kept("b", PAID, 1));
    service.failure = new CallError({ kind: "timeout", message: "late" });
    void watch.refresh();
    await pass(5);
    expect(service.asked).toEqual(["a"]);
    expect(shelf()?.isFailing).toBe(true);
    service.failure = null;
    await pass(40);
    expect(shelf()?.isFailing).toBe(false);
  });

  it("are asked for no more where the service knows them no more, and stay on the list", async () => {
    const { service, watch, shelf } = world(kept("a", PAID));
    service.failure = new CallError({ kind: "coded", code: "ERR_NOT_FOUND_E", message: "no" });
    void watch.refresh();
    await pass(100);
    expect(service.asked).toHaveLength(1);
    expect([...(shelf()?.gone ?? [])].map((id) => id.slice(-1))).toEqual(["a"]);
    expect(shelf()?.orders).toHaveLength(1);
    expect(shelf()?.isFailing).toBe(false);
  });

  it("are not looked at while the page is hidden or offline, but shown", async () => {
    const { service, watch, shelf } = world(kept("a", PAID));
    service.isWatched = false;
    void watch.refresh();
    await pass(100);
    expect(service.asked).toEqual([]);
    expect(shelf()?.orders).toHaveLength(1);
    service.isWatched = true;
    void watch.refresh();
    void watch.refresh();
    await pass(1);
    expect(service.asked).toEqual(["a"]);
  });

  it("do not come back when one is forgotten while it is looked at, and a pause breaks the look off", async () => {
    const { service, watch, shelf, orders } = world(kept("a", PAID, 2), kept("b", PAID, 1));
    void watch.refresh();
    await pass(0.5);
    await orders.forget([kept("a", PAID).order.orderId]);
    await pass(1);
    expect(shelf()?.orders?.map(nameOf)).toEqual(["b"]);
    watch.pause();
    await pass(100);
    expect(service.broken).toBe(1);
    expect(service.asked).toEqual(["a", "b"]);
  });
});
