import { useEffect } from "react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { at, ms, sampleOrder } from "../testing/sample-order.ts";
import { type SavedOrder, savedOrders, useSavedOrders } from "../store.ts";
import { type SavedOrderRounds, useSavedOrderRounds } from "./use-saved-order-rounds.ts";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const DONE: OrderEventKind[] = [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"];

const ID = "AAAAAAAAAAAAAAAAAAAAAAA";
const saved = (name: string, kinds: readonly OrderEventKind[], seconds = 1): SavedOrder => ({
  order: sampleOrder(kinds, { orderId: ID + name }),
  destinationAddress: "0xto",
  seenAt: at(seconds),
});
const nameOf = (orderId: string): string => orderId.slice(ID.length);

const device = vi.hoisted(() => ({ stored: undefined as unknown }));
vi.mock("idb-keyval", () => ({
  get: async () => device.stored,
  update: async (_key: string, change: (before: unknown) => unknown) => void (device.stored = change(device.stored)),
}));

/** Has every order paid out, and takes a second for each answer. */
const service = vi.hoisted(() => ({ failure: null as Error | null, asked: [] as string[], brokenOff: 0 }));
vi.mock("../../../shared/http/http.ts", () => ({
  async call(_name: string, { query, signal }: { query: { orderId: string }; signal: AbortSignal }) {
    service.asked.push(nameOf(query.orderId));
    const { failure } = service;
    const breakOff = () => (service.brokenOff += 1);
    signal.addEventListener("abort", breakOff);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    signal.removeEventListener("abort", breakOff);
    signal.throwIfAborted();
    if (failure !== null) throw failure;
    return sampleOrder(DONE, { orderId: query.orderId });
  },
}));

let view: View | null = null;
let rounds: SavedOrderRounds;
let orders: readonly SavedOrder[] | null;

type ListProps = {
  readonly offset: number;
  readonly show: (rounds: SavedOrderRounds, orders: readonly SavedOrder[] | null) => void;
};

function List({ offset, show }: ListProps) {
  const shownRounds = useSavedOrderRounds(offset);
  const { orders: shownOrders } = useSavedOrders();
  useEffect(() => show(shownRounds, shownOrders));
  return null;
}

async function open(...before: SavedOrder[]): Promise<void> {
  device.stored = before;
  view = await render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <List
        offset={ms(99) - Date.now()}
        show={(...shown) => {
          [rounds, orders] = shown;
        }}
      />
    </SWRConfig>,
  );
  await settled();
}

const pass = async (seconds: number) => {
  for (let left = seconds; left > 0; left -= 0.5)
    await settled(() => vi.advanceTimersByTimeAsync(Math.min(left, 0.5) * 1_000));
};
const hide = () => vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
const names = (): string[] | undefined => orders?.map(({ order }) => nameOf(order.orderId));

beforeEach(async () => {
  await import("../model/saved-order.ts");
  vi.useFakeTimers();
  vi.spyOn(console, "debug").mockReturnValue();
  Object.assign(service, { failure: null, asked: [], brokenOff: 0 });
});
afterEach(async () => {
  await view?.unmount();
  view = null;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the orders of a device", () => {
  it("are shown at once, and the unfinished ones asked for one after the other", async () => {
    await open(saved("a", PAID, 3), saved("b", DONE, 2), saved("c", PAID, 1));
    expect(names()).toEqual(["a", "b", "c"]);
    expect(service.asked).toEqual(["a"]);
    await pass(3);
    expect(service.asked).toEqual(["a", "c"]);
    expect(orders?.map(({ seenAt }) => seenAt > at(90))).toEqual([true, true, false]);
    expect(device.stored).toHaveLength(3);
    expect(names()?.toSorted()).toEqual(["a", "b", "c"]);
  });

  it("are asked for again half a minute later, until all are finished", async () => {
    service.failure = new CallError({ kind: "network", message: "gone" });
    await open(saved("a", PAID));
    await pass(29);
    expect(service.asked).toHaveLength(1);
    service.failure = null;
    await pass(3);
    expect(service.asked).toHaveLength(2);
    await pass(300);
    expect(service.asked).toHaveLength(2);
  });

  it("are marked as old while the service is away, which ends the round, and not once it is back", async () => {
    service.failure = new CallError({ kind: "timeout", message: "late" });
    await open(saved("a", PAID, 2), saved("b", PAID, 1));
    await pass(5);
    expect(service.asked).toEqual(["a"]);
    expect(rounds.isFailing).toBe(true);
    service.failure = null;
    await pass(40);
    expect(rounds.isFailing).toBe(false);
  });

  it("stay on the list and are no longer asked for once the service doesn't know them", async () => {
    service.failure = new CallError({ kind: "coded", code: "ERR_NOT_FOUND_E", message: "no" });
    await open(saved("a", PAID));
    await pass(100);
    expect(service.asked).toHaveLength(1);
    expect([...rounds.gone].map(nameOf)).toEqual(["a"]);
    expect(names()).toEqual(["a"]);
    expect(rounds.isFailing).toBe(false);
  });

  it("are not asked for while the page is hidden, but shown, and asked for once when it is seen", async () => {
    const hidden = hide();
    await open(saved("a", PAID));
    await pass(100);
    expect(service.asked).toEqual([]);
    expect(names()).toEqual(["a"]);
    hidden.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    dispatchEvent(new Event("focus"));
    await pass(2);
    expect(service.asked).toEqual(["a"]);
  });

  it("are not asked for without a network, and asked for when it is back", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await open(saved("a", PAID));
    await pass(100);
    expect(service.asked).toEqual([]);
    online.mockReturnValue(true);
    dispatchEvent(new Event("online"));
    await pass(2);
    expect(service.asked).toEqual(["a"]);
  });

  it("do not come back when one is forgotten while it is asked for", async () => {
    await open(saved("a", PAID, 2), saved("b", PAID, 1));
    await pass(0.5);
    await settled(() => savedOrders.forget([`${ID}a`]));
    await pass(1);
    expect(names()).toEqual(["b"]);
  });

  it("are no longer asked for once the page is left, and are asked for again by hand", async () => {
    await open(saved("a", PAID, 2), saved("b", PAID, 1));
    await settled(() => rounds.refresh());
    expect(service).toMatchObject({ asked: ["a", "a"], brokenOff: 1 });
    await view?.unmount();
    view = null;
    await pass(100);
    expect(service).toMatchObject({ asked: ["a", "a"], brokenOff: 2 });
  });

  it("are asked for again by a page that comes out of the back-forward cache", async () => {
    await open(saved("a", PAID));
    await settled(() => dispatchEvent(new Event("pagehide")));
    expect(service.brokenOff).toBe(1);
    await pass(5);
    await settled(() => dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
    expect(service.asked).toEqual(["a", "a"]);
  });
});
