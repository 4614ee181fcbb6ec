import { expect, it } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { trackingEvents } from "./tracking.ts";
import { sampleOrder } from "../testing/sample-order.ts";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const ENDED: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const PAYING: OrderEventKind[] = ["FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"];

it.each<[readonly OrderEventKind[], string]>([
  [[], ""],
  [["CREATION_END"], ""],
  [["CREATION_END", "DEPOSIT_REGISTERED"], ""],
  [PAID, "deposit seen"],
  [[...PAID, "DEPOSIT_REGISTERED"], "deposit seen"],
  [[...PAID, ...PAYING], "deposit seen, exchange completed"],
  [ENDED, "deposit seen, choice needed"],
  [[...ENDED, "RATE_MODE_CHANGED"], "deposit seen, choice needed"],
  [
    [...ENDED, "RATE_MODE_CHANGE_ACCEPTED", ...PAYING],
    "deposit seen, choice needed, new rate accepted, exchange completed",
  ],
  [[...ENDED, "REFUND_REQUESTED"], "deposit seen, choice needed, refund requested"],
  [[...PAID, "REFUND_REQUESTED", "REFUND_COMPLETED"], "deposit seen, refund requested, refund completed"],
])("%j: %s", (kinds, steps) => expect(trackingEvents(sampleOrder(kinds).orderEvents).join(", ")).toBe(steps));
