import { describe, expect, it } from "vitest";
import { costLimit } from "./cost-limit.ts";

const USD = 10n ** 18n;
const caps = {
  nativeGas: 1n,
  tokenGas: 1n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  feePerByte: null,
  feeLimit: 1n,
  timesCharged: 3n,
  overChargedUsd: "1",
};
const eth = { slug: "eth", decimals: 18, priceUsd: 2_000n * USD };
const usdt = { slug: "usdt", decimals: 6, priceUsd: USD, caps };

describe("what a payment may cost", () => {
  it("is three times what was charged, in the network's coin", () => {
    expect(costLimit(20_000_000n, usdt, eth)).toBe(3n * 10n ** 16n);
  });

  it("is one USD more where that allows more", () => {
    expect(costLimit(100_000n, usdt, eth)).toBe(55n * 10n ** 13n);
    expect(costLimit(0n, { ...eth, caps }, eth)).toBe(5n * 10n ** 14n);
  });

  it("is a multiple alone without a price, and unknown where it must be converted", () => {
    expect(costLimit(7n, { ...eth, priceUsd: null, caps }, { ...eth, priceUsd: null })).toBe(21n);
    expect(costLimit(7n, usdt, { ...eth, priceUsd: null })).toBeNull();
  });
});
