import { expect, test } from "vitest";
import type { Operation } from "./openapi.ts";
import { initialBody, initialValue, NOTHING_RECALLED, recall, targetOf } from "./try-call.ts";

const parameter = (name: string, place: "path" | "query") => ({
  name,
  in: place,
  required: true,
  schema: { type: "string" },
  example: `an ${name}`,
});
const operation = (id: string, changes: Partial<Operation> = {}): Operation => ({
  id,
  method: "POST",
  path: "/orders",
  summary: "",
  parameters: [],
  body: { schema: {}, example: { destinationAddress: "0x1", markupBps: 50 } },
  success: { status: "200", schema: {} },
  failures: [],
  ...changes,
});
const rate = {
  instrumentFrom: { slug: "eth" },
  instrumentTo: { slug: "usdt-erc20" },
  amountToGive: "0.5",
  amountToGet: "1484",
  rateMode: "FIXED",
  price: "2968",
  updatedAt: "2026-11-21T12:00:00.000Z",
  markupBps: 10,
};

test("the path and the query contain what was typed, without what is empty", () => {
  const parameters = [parameter("orderId", "path"), parameter("state", "query"), parameter("limit", "query")];
  const call = operation("partnerOrder", { path: "/orders/{orderId}", parameters });
  expect(targetOf(call, { orderId: "a/b", state: "", limit: "5 0" })).toBe("/orders/a%2Fb?limit=5+0");
  expect(targetOf(call, { orderId: "ab" })).toBe("/orders/ab");
});

test("an order begins with the rate that was read last", () => {
  const create = operation("partnerCreateOrder");
  expect(JSON.parse(initialBody(create, NOTHING_RECALLED))).toEqual(create.body?.example);
  const known = recall(NOTHING_RECALLED, operation("partnerRate"), rate);
  expect(JSON.parse(initialBody(create, known))).toMatchObject({
    destinationAddress: "0x1",
    instrumentFromSlug: "eth",
    rateMode: "FIXED",
    claimedDepositAmount: "0.5",
    claimedPublicRate: { price: "2968", claimedAmountToReceive: "1484" },
    markupBps: 10,
  });
});

test("later calls are about the order and the webhook of this page", () => {
  const order = recall(NOTHING_RECALLED, operation("partnerCreateOrder"), { orderId: "AB" });
  expect(initialValue(parameter("orderId", "path"), order)).toBe("AB");
  const webhook = recall(order, operation("partnerCreateWebhook"), { id: "w1", url: "https://shop.example" });
  expect(initialValue(parameter("webhookId", "path"), webhook)).toBe("w1");
  expect(initialValue(parameter("limit", "query"), webhook)).toBe("an limit");
});

test("an answer of another shape is forgotten", () => {
  expect(recall(NOTHING_RECALLED, operation("partnerRate"), { status: "ERR_PAIR_NOT_ACTIVE" })).toEqual(
    NOTHING_RECALLED,
  );
  expect(recall(NOTHING_RECALLED, operation("partnerBalances"), [])).toBe(NOTHING_RECALLED);
});
