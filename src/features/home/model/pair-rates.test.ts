import { describe, expect, it } from "vitest";
import { requestedAmount } from "./pair-rates.ts";

describe("the amount that a rate is requested for", () => {
  it.each([
    ["3000", 6, "0.166666"],
    ["1", 6, "500"],
    ["0.5", 6, "1000"],
    ["92410.25", 6, "0.00541"],
    ["1000000000", 6, null],
    ["0", 6, null],
    ["0.000012", 2, "41666666.66"],
    ["7", 0, "71"],
  ])("of a coin at $%s, to %d decimals, is %s", (price, decimals, amount) => {
    expect(requestedAmount(price, decimals)).toBe(amount);
  });
});
