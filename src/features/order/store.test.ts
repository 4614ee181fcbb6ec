import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SavedOrder } from "./store.ts";
import { at, sampleOrder } from "./testing/sample-order.ts";

/** The device's storage; it can be denied. */
const device = vi.hoisted(() => ({ stored: undefined as unknown, isDenied: false }));
vi.mock("idb-keyval", () => ({
  async get() {
    if (device.isDenied) throw new DOMException("denied", "SecurityError");
    return structuredClone(device.stored);
  },
  async update(_key: string, change: (before: unknown) => unknown) {
    if (device.isDenied) throw new DOMException("full", "QuotaExceededError");
    device.stored = structuredClone(change(device.stored));
  },
}));

/** The saved orders as another page of this device has them. */
async function openPage() {
  vi.resetModules();
  return (await import("./store.ts")).savedOrders;
}

const ID = "7KQ4M2XD7KQ4M2XD7KQ4M2";
const seen = (name: string, seconds: number, changes: Partial<SavedOrder["order"]> = {}): SavedOrder => ({
  order: sampleOrder(["CREATION_END"], { orderId: ID + name, ...changes }),
  destinationAddress: "0xasked",
  seenAt: at(seconds),
});
const ids = (saved: readonly SavedOrder[]): string[] => saved.map(({ order }) => order.orderId.slice(ID.length));

beforeEach(() => void Object.assign(device, { stored: undefined, isDenied: false }));
afterEach(() => void vi.restoreAllMocks());

describe("orders saved on a device", () => {
  it("are there for the next page load, newest first", async () => {
    await (await openPage()).save(seen("a", 1));
    await (await openPage()).save(seen("b", 2));
    expect(ids(await (await openPage()).read())).toEqual(["b", "a"]);
  });

  it.each([
    [9, 3],
    [3, 9],
  ])("keep one entry for an order, the one seen last, written %i, %i", async (first, second) => {
    for (const seconds of [first, second]) {
      await (await openPage()).save(seen("a", seconds, { depositAddress: `seen at ${seconds}` }));
    }
    const [only, ...others] = await (await openPage()).read();
    expect(only?.order.depositAddress).toBe("seen at 9");
    expect(others).toEqual([]);
  });

  it("make room for the twentieth by letting the oldest go", async () => {
    const orders = await openPage();
    for (let index = 0; index < 23; index += 1) await orders.save(seen(`n${index}`, index));
    const saved = ids(await (await openPage()).read());
    expect(saved).toHaveLength(20);
    expect([saved[0], saved.at(-1)]).toEqual(["n22", "n3"]);
  });

  it("open by the address that was asked with, and by the canonical one, not by another", async () => {
    const orders = await openPage();
    const saved = seen("a", 1);
    await orders.save(saved);
    expect(await orders.find(`${ID}a`, "0xasked")).toEqual(saved);
    expect(await orders.find(`${ID}a`, saved.order.destinationAddress)).toEqual(saved);
    expect(await orders.find(`${ID}a`, "0xother")).toBeNull();
    expect(await orders.find(`${ID}b`, "0xasked")).toBeNull();
  });

  it("are forgotten one by one or all, also by a page that has saved them itself, and the rest stays", async () => {
    const orders = await openPage();
    for (const [index, name] of ["a", "b", "c"].entries()) await orders.save(seen(name, index));
    await (await openPage()).forget([`${ID}b`]);
    expect(ids(await orders.read())).toEqual(["c", "a"]);
    await orders.forget((await orders.read()).map(({ order }) => order.orderId));
    expect(await orders.read()).toEqual([]);
    expect(await (await openPage()).read()).toEqual([]);
  });

  it("are not brought back by a newer answer that arrives after they were forgotten", async () => {
    const orders = await openPage();
    await orders.save(seen("a", 1));
    await orders.renew(seen("a", 2));
    expect((await orders.read())[0]?.seenAt).toBe(at(2));
    await orders.forget([`${ID}a`]);
    await orders.renew(seen("a", 3));
    expect(await orders.read()).toEqual([]);
  });

  it("are shown as they change, once they were read", async () => {
    const orders = await openPage();
    expect(orders.state.orders).toBeNull();
    await orders.save(seen("a", 1));
    await orders.read();
    await orders.save(seen("b", 2));
    expect(ids(orders.state.orders ?? [])).toEqual(["b", "a"]);
    await orders.forget([`${ID}b`]);
    expect(ids(orders.state.orders ?? [])).toEqual(["a"]);
  });

  it("are shown to nobody but the account that saw them, also after its session has ended, and open by their link", async () => {
    const orders = await openPage();
    const { signedIn } = await import("../../shared/account/signed-in.ts");
    await orders.save({ ...seen("a", 1), userId: 7 });
    await orders.save(seen("b", 2));
    const shownTo = async (userId: number | null) => {
      signedIn.userId = userId;
      return ids(await orders.read());
    };
    expect(await shownTo(7)).toEqual(["b", "a"]);
    expect(await shownTo(8)).toEqual(["b"]);
    expect(await shownTo(null)).toEqual(["b"]);
    // A page that goes on after the end of its session.
    await orders.save(seen("a", 3));
    expect(await shownTo(null)).toEqual(["b"]);
    expect(await orders.find(`${ID}a`, "0xasked")).toMatchObject({ userId: 7, seenAt: at(3) });
    expect(await shownTo(7)).toEqual(["a", "b"]);
  });

  it("leave out what an older version wrote, and keep the rest", async () => {
    device.stored = [{ order: { orderId: "old" }, seenAt: "yesterday" }, seen("a", 1), null];
    expect(ids(await (await openPage()).read())).toEqual(["a"]);
  });

  it.each([["no list"], [{}], [7]])("read %j as none", async (value) => {
    device.stored = value;
    expect(await (await openPage()).read()).toEqual([]);
  });

  it("live as long as the page where storage is denied, and say so in the log", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    device.isDenied = true;
    const orders = await openPage();
    await orders.save(seen("a", 1));
    expect(ids(await orders.read())).toEqual(["a"]);
    const others = await openPage();
    expect(await others.read()).toEqual([]);
    expect(others.state).toEqual({ orders: [], isDenied: true });
    await orders.forget([`${ID}a`]);
    expect(await orders.read()).toEqual([]);
    expect(warn).toHaveBeenCalledTimes(5);
  });
});
