import { beforeEach, expect, it } from "vitest";
import { createOrderViews, type OrderViews, type ViewedOrder } from "./order-views.ts";

let time = 0;
let reads: string[] = [];
let views: OrderViews;
beforeEach(() => {
  [time, reads] = [0, []];
  views = createOrderViews({ now: () => time, max: 2 });
});
// What is in a view does not matter to who keeps it.
const viewed = () => ({ order: {}, state: {} }) as ViewedOrder;
const read = async (orderId: string) => {
  reads.push(orderId);
  return orderId === "unknown" ? null : viewed();
};

it("reads an order once a second, however many ask", async () => {
  const [one, other] = await Promise.all([views.find("a", read), views.find("a", read)]);
  expect(one).toBe(other);
  time = 999;
  await views.find("a", read);
  expect(reads).toEqual(["a"]);
  time = 1_000;
  await views.find("a", read);
  expect(reads).toEqual(["a", "a"]);
});

it("reads it again at once after a change", async () => {
  await views.find("a", read);
  views.clear();
  await views.find("a", read);
  expect(reads).toEqual(["a", "a"]);
});

it("has a version that ends with what it keeps: after a second, and at once after a change", async () => {
  const first = views.version();
  await views.find("a", read);
  time = 999;
  expect(views.version()).toBe(first);
  time = 1_000;
  const second = views.version();
  expect(second).not.toBe(first);
  views.clear();
  expect(views.version()).not.toBe(second);
});

it("keeps neither what there is not nor what could not be read", async () => {
  expect(await views.find("unknown", read)).toBeNull();
  await expect(views.find("b", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await views.find("unknown", read);
  await views.find("b", read);
  expect(reads).toEqual(["unknown", "unknown", "b"]);
});

it("never keeps what was being read when something changed", async () => {
  const slow = Promise.withResolvers<ViewedOrder>();
  const first = views.find("a", () => slow.promise);
  views.clear();
  slow.resolve(viewed());
  await first;
  await views.find("a", read);
  expect(reads).toEqual(["a"]);
});

it("has room for so many at a time", async () => {
  for (const id of ["a", "b", "c", "d"]) await views.find(id, read);
  await views.find("d", read);
  await views.find("a", read);
  expect(reads).toEqual(["a", "b", "c", "d", "a"]);
});
