import { expect, it } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { customerActions } from "./customer-actions.ts";
import { at, deposit, ms, sampleOrder } from "../../testing/sample-order.ts";
import { screenOf } from "../view/screen.ts";

const CREATED: OrderEventKind[] = ["CREATION_END"];
const PAID: OrderEventKind[] = [...CREATED, "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const LATE: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const FLOATING: Partial<Order> = { rateMode: "FLOATING", expiresAt: null, refundAddress: null };
const offer = { price: "2700", amountToGet: "1350", at: at(4), validUntil: at(604) };
const one = { deposits: [deposit("0.5", 1)] };
const all = { deposits: [deposit("0.5", 3)] };
const bounds = { expected: "0.01", received: "0.001", countsFrom: null };
const below = { reason: "BELOW_MINIMUM", ...bounds } as const;
const above = { reason: "ABOVE_MAXIMUM", ...bounds } as const;
const review = { reason: "NO_PROVIDER", needed: "PROVIDER", until: null } as const;
const ACCEPTED = "RATE_MODE_CHANGE_ACCEPTED";
const less = { deposits: [deposit("0.001", 3)] };

it.each<[string, OrderEventKind[], Partial<Order>, string]>([
  ["nothing was sent", CREATED, {}, "none"],
  ["a deposit is counted", PAID, one, "refund quietly"],
  ["a floating order's deposit is counted", PAID, { ...FLOATING, ...one }, "refund quietly"],
  ["a confirmed sum is another one", PAID, { ...FLOATING, ...less }, "refund quietly"],
  ["the sum is below the minimum", PAID, { ...FLOATING, ...less, attention: below }, "refund or top up"],
  ["the sum is above the maximum", PAID, { ...FLOATING, ...less, attention: above }, "refund"],
  [
    "a top-up after an accepted rate is too little",
    [...LATE, ACCEPTED],
    { ...less, attention: below },
    "refund or top up",
  ],
  ["a deposit is too small to count", CREATED, { ...less, attention: below }, "none"],
  [
    "no provider fills it after the payout had begun",
    [...PAID, "FUNDS_WITHDRAWAL_START"],
    { ...all, review },
    "refund quietly",
  ],
  ["the deposit has left the chain", PAID, { deposits: [] }, "none"],
  ["the payout has begun", [...PAID, "FUNDS_WITHDRAWAL_START"], all, "none"],
  ["the payout has begun, for another sum", [...PAID, "FUNDS_WITHDRAWAL_START"], { ...FLOATING, ...less }, "none"],
  ["all is paid", [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"], all, "none"],
  ["the rate has ended", LATE, { ...one, offer }, "accept or refund"],
  ["the rate has ended for a sum that no offer takes", LATE, { ...one, offer: null }, "refund"],
  [
    "the rate has ended for a sum below the minimum",
    LATE,
    { ...one, offer: null, attention: below },
    "refund or top up",
  ],
  ["the rate has ended and the deposit left the chain", LATE, { deposits: [], offer }, "accept"],
  ["the new rate was accepted", [...LATE, "RATE_MODE_CHANGE_ACCEPTED"], one, "none"],
  ["a refund was asked for", [...LATE, "REFUND_REQUESTED"], one, "none"],
  ["the refund is back", [...LATE, "REFUND_REQUESTED", "REFUND_COMPLETED"], all, "none"],
])("%s: %s", (_case, kinds, changes, expected) => {
  const order = sampleOrder(kinds, changes);
  const { accept, refund, topUp } = customerActions(order, screenOf(order, ms(60)));
  const offered = [
    accept ? "accept" : "",
    refund === "card" ? "refund" : refund === "quiet" ? "refund quietly" : "",
    topUp ? "top up" : "",
  ];
  expect(offered.filter((word) => word !== "").join(" or ") || "none").toBe(expected);
});
