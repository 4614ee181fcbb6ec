import { expect, it } from "vitest";
import { depositDelay } from "../view/order-times.ts";
import { rateChange } from "./rate-change.ts";
import { at, deposit, sampleOrder } from "../../testing/sample-order.ts";

const changed = (price: string, amountToGet: string, arrived = "0.5") =>
  rateChange(
    sampleOrder([], { offer: { price, amountToGet, at: at(4), validUntil: at(604) }, deposits: [deposit(arrived, 3)] }),
  );

it.each([
  ["2940.664", "1470.332", "lower", "1.32", "19.668"],
  ["3129", "1564.5", "higher", "5", "74.5"],
  ["2979.702", "1489.851", "lower", "0.01", "0.149"],
])("2980 against %s", (price, get, direction, percent, difference) => {
  expect(changed(price, get)).toEqual({ direction, percent, difference });
});

it("compares no sums where another one arrived", () =>
  expect(changed("2940.664", "735.166", "0.25")).toEqual({ direction: "lower", percent: "1.32", difference: null }));

it("says nothing of a rate that is the same, or without an offer", () => {
  expect(changed("2980", "1490")).toBeNull();
  expect(changed("2980.01", "1490.005")).toBeNull();
  expect(rateChange(sampleOrder([]))).toBeNull();
});

it.each([
  [1440, { seconds: 240, rateLockSeconds: 1200 }],
  [1200, null],
  [60, null],
])("a deposit seen after %i s of a rate lock of 1200", (second, expected) => {
  const deposits = [deposit("0.1", 0, { detectedAt: at(9000) }), deposit("0.4", 1, { detectedAt: at(second) })];
  expect(depositDelay(sampleOrder([], { deposits }))).toEqual(expected);
});

it("is not late without a rate lock or a deposit", () => {
  expect(depositDelay(sampleOrder([]))).toBeNull();
  expect(depositDelay(sampleOrder([], { expiresAt: null, deposits: [deposit("0.5", 1)] }))).toBeNull();
});
