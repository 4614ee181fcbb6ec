import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { at, sampleOrder } from "./model/sample-order.ts";
import { type OrderWatch, type Watched, watchOrder } from "./order-watch.ts";

const created = sampleOrder(["CREATION_END"]);
const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const paid = sampleOrder(PAID);
const done = sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"]);
const seen = (order: Order) => ({ order, seenAt: at(0) });
const unknown = new CallError({ kind: "coded", code: "ERR_NOT_FOUND_E", message: "no" });

/** A service that answers each look with what it is told, after as long as it is told. */
function world(first: Order | null, isFirstOld = false) {
  const service = { answer: created as Order | Error, seconds: 0, looks: 0, broken: 0, isWatched: true };
  const told: Watched[] = [];
  const watch: OrderWatch = watchOrder({
    first: { seen: first === null ? null : seen(first), isAddressIncorrect: false, isFailing: false },
    isFirstOld,
    look: async (signal) => {
      service.looks += 1;
      signal.addEventListener("abort", () => (service.broken += 1));
      const { answer } = service;
      await new Promise((resolve) => setTimeout(resolve, service.seconds * 1000));
      if (answer instanceof Error) throw answer;
      return seen(answer);
    },
    isWatched: () => service.isWatched,
    onChange: (watched) => told.push(watched),
  });
  return { service, watch, told, shown: () => told.at(-1)?.seen?.order };
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("watching an order", () => {
  it.each([
    ["that just came", created, false, 0],
    ["that is kept on the device", created, true, 1],
    ["that is kept on the device and done", done, true, 1],
    ["that is not there yet", null, false, 1],
  ])("%s looks at the start: %j, old %s, %i times", async (_case, first, isOld, looks) => {
    const { service } = world(first, isOld);
    await pass(4.9);
    expect(service.looks).toBe(looks);
  });

  it("looks every five seconds, counted from the end of a slow answer, until the order is done", async () => {
    const { service } = world(created);
    service.seconds = 4;
    await pass(5);
    expect(service.looks).toBe(1);
    await pass(8.9);
    expect(service.looks).toBe(1);
    service.answer = done;
    await pass(0.2);
    expect(service.looks).toBe(2);
    await pass(120);
    expect(service.looks).toBe(2);
  });

  it("goes on as before after failures, and tells them", async () => {
    const { service, told, shown } = world(created);
    service.answer = new CallError({ kind: "timeout", message: "late" });
    await pass(10.1);
    expect(service.looks).toBe(2);
    expect(told.at(-1)).toMatchObject({ isFailing: true, seen: seen(created) });
    service.answer = paid;
    await pass(5);
    expect(told.at(-1)?.isFailing).toBe(false);
    expect(shown()).toBe(paid);
  });

  it("looks no more once the address is judged incorrect", async () => {
    const { service, told, watch } = world(created);
    service.answer = unknown;
    await pass(6);
    expect(told.at(-1)?.isAddressIncorrect).toBe(true);
    watch.resume();
    await pass(60);
    expect(service.looks).toBe(1);
  });

  it("keeps asking for a kept order that is done until the service has told of it", async () => {
    const { service } = world(done, true);
    service.answer = new CallError({ kind: "network", message: "gone" });
    await pass(0);
    service.answer = done;
    await pass(60);
    expect(service.looks).toBe(2);
  });

  it("rests unwatched, and looks once when several signs say that it is seen again", async () => {
    const { service, watch } = world(created);
    service.isWatched = false;
    await pass(60);
    watch.resume();
    expect(service.looks).toBe(0);
    service.isWatched = true;
    service.seconds = 1;
    for (let sign = 0; sign < 3; sign += 1) watch.resume();
    await pass(5);
    expect(service.looks).toBe(1);
    await pass(2);
    expect(service.looks).toBe(2);
  });

  it("breaks off a look when it is paused, and takes nothing of it", async () => {
    const { service, told, watch } = world(created);
    service.seconds = 3;
    await pass(6);
    watch.pause();
    await pass(60);
    expect([service.looks, service.broken, told.length]).toEqual([1, 1, 0]);
    watch.resume();
    await pass(3);
    expect(told).toHaveLength(1);
  });

  it("shows an answer to another call, and not the older one of a look that was under way", async () => {
    const { service, shown, watch } = world(created);
    service.seconds = 3;
    await pass(6);
    watch.put(seen(paid));
    expect(shown()).toBe(paid);
    await pass(4.9);
    expect(shown()).toBe(paid);
    expect([service.looks, service.broken]).toEqual([1, 1]);
  });

  it("looks anew when it is asked to, in place of the look that is under way", async () => {
    const { service, shown, told, watch } = world(created);
    service.seconds = 3;
    await pass(6);
    service.answer = paid;
    void watch.checkNow();
    await pass(3);
    expect(shown()).toBe(paid);
    expect(told).toHaveLength(1);
    expect([service.looks, service.broken]).toEqual([2, 1]);
  });
});
