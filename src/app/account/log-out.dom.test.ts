import { beforeEach, expect, test, vi } from "vitest";
import { rememberedEmail, rememberEmail } from "../../features/exchange/store/remembered-email.ts";
import { savedOrders } from "../../features/order/store.ts";
import { at, sampleOrder } from "../../features/order/testing/sample-order.ts";
import { AMOUNT_DRAFT_KEY, EXCHANGE_DRAFT_KEY } from "../../shared/browser/exchange-draft.ts";
import { forgetPerson } from "./log-out.ts";

const device = vi.hoisted(() => ({ stored: undefined as unknown, deleted: [] as string[] }));
vi.mock("idb-keyval", () => ({
  get: async () => structuredClone(device.stored),
  async update(_key: string, change: (before: unknown) => unknown) {
    device.stored = structuredClone(change(device.stored));
  },
  del: async (key: string) => void device.deleted.push(key),
}));

const GUEST_ORDER = "7KQ4M2XD7KQ4M2XD7KQ4M2guest";
const ANNS_ORDER = "7KQ4M2XD7KQ4M2XD7KQ4M2ann";

beforeEach(async () => {
  device.stored = undefined;
  device.deleted = [];
  for (const [orderId, userEmail] of [
    [GUEST_ORDER, null],
    [ANNS_ORDER, "ann@mail.example"],
  ] as const) {
    const order = sampleOrder(["CREATION_END"], { orderId, userEmail });
    await savedOrders.save({ order, destinationAddress: "0xasked", seenAt: at(1) });
  }
  rememberEmail("ann@mail.example");
  sessionStorage.setItem(EXCHANGE_DRAFT_KEY, "{}");
  sessionStorage.setItem(AMOUNT_DRAFT_KEY, "eth-ton from 0.77");
  localStorage.setItem("wherry-bot-refused", "7");
});

const savedIds = async () => (await savedOrders.read()).map(({ order }) => order.orderId);

test("the next person on a device finds neither orders, email nor what was typed, but a guest's orders", async () => {
  await forgetPerson({ userId: 7, email: "ann@mail.example" });
  expect(await savedIds()).toEqual([GUEST_ORDER]);
  expect(rememberedEmail()).toBeNull();
  expect([EXCHANGE_DRAFT_KEY, AMOUNT_DRAFT_KEY].map((key) => sessionStorage.getItem(key))).toEqual([null, null]);
  expect(device.deleted).toEqual(["wherry-verification"]);
  expect(localStorage.getItem("wherry-bot-refused")).toBeNull();
});

test("an account without an email leaves the orders alone that others saw on the device", async () => {
  await forgetPerson({ userId: 7, email: null });
  expect((await savedIds()).toSorted()).toEqual([ANNS_ORDER, GUEST_ORDER].toSorted());
});

test("what somebody saw is theirs, whatever their email was then", async () => {
  const order = sampleOrder(["CREATION_END"], { orderId: ANNS_ORDER, userEmail: "ann.before@mail.example" });
  await savedOrders.save({ order, destinationAddress: "0xasked", seenAt: at(2), userId: 7 });
  await forgetPerson({ userId: 7, email: null });
  expect(device.stored).toHaveLength(1);
  expect(await savedIds()).toEqual([GUEST_ORDER]);
});
