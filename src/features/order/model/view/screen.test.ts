import { expect, it } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { pollInterval } from "./screen.ts";
import { sampleOrder } from "../../testing/sample-order.ts";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];

it.each([
  ["an order not loaded yet", undefined, false, 5000],
  ["no deposit", sampleOrder(["CREATION_END"]), false, 5000],
  ["processing", sampleOrder(PAID), false, 5000],
  ["a refund under way", sampleOrder([...PAID, "REFUND_REQUESTED"]), false, 5000],
  ["completed", sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"]), false, 0],
  ["refunded", sampleOrder([...PAID, "REFUND_REQUESTED", "REFUND_COMPLETED"]), false, 0],
  ["expired", sampleOrder(["CREATION_END"], { status: "expired" }), false, 0],
  ["an address judged incorrect", sampleOrder(PAID), true, 0],
  ["an incorrect address and no order", undefined, true, 0],
])("%s, judged incorrect %s: every %i ms", (_case, order, incorrect, interval) => {
  expect(pollInterval(order, incorrect)).toBe(interval);
});
