import { describe, expect, it } from "vitest";
import { coinPoints, dollarPoints, MULTIPLIERS } from "./price-points.ts";

describe("price points", () => {
  it("are made by the fifteen multipliers, both ways", () => {
    expect(MULTIPLIERS).toHaveLength(15);
    expect(coinPoints("3").map(({ amount }) => amount)).toEqual([...MULTIPLIERS]);
    expect(dollarPoints("3").map(({ amount }) => amount)).toEqual([...MULTIPLIERS]);
  });

  it.each([
    ["92410", "0.01", "924.1", "0.00000011"],
    ["92410", "1", "92410", "0.00001082"],
    ["92410", "1000", "92410000", "0.01082134"],
    ["0.000012345", "100", "0.0012345", "8100445.52450385"],
    ["0.5", "0.01", "0.01", "0.02"],
  ])("at %s USD, %s of a coin is worth %s and that many dollars %s", (price, amount, worth, coins) => {
    expect(coinPoints(price)).toContainEqual({ amount, worth });
    expect(dollarPoints(price)).toContainEqual({ amount, worth: coins });
  });

  it("of dollars are none without a price", () => expect(dollarPoints("0")).toEqual([]));
});
