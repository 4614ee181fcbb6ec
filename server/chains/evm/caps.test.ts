import { describe, expect, it } from "vitest";
import { boundedFees, gasCap, requireWithinCaps } from "./caps.ts";

const caps = { nativeGas: 100_000n, tokenGas: 20_000_000n, maxFeePerGas: 500n, maxPriorityFeePerGas: 50n };

describe("caps", () => {
  it("bound gas, and no transaction has more than Ethereum allows one", () => {
    expect(gasCap(caps, null)).toBe(100_000n);
    expect(gasCap(caps, "0xtoken")).toBe(16_777_216n);
  });

  it("bound the tip and the fee, whatever the node says", () => {
    expect(boundedFees({ baseFee: 100n, priorityFee: 9_000n }, caps)).toEqual({
      maxFeePerGas: 250n,
      maxPriorityFeePerGas: 50n,
    });
    expect(boundedFees({ baseFee: 400n, priorityFee: 10n }, caps).maxFeePerGas).toBe(500n);
    expect(() => boundedFees({ baseFee: 491n, priorityFee: 10n }, caps)).toThrow("more than the cap");
  });

  it.each([
    [{ gas: 100_001n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, "gas_over_cap"],
    [{ gas: 21_000n, maxFeePerGas: 501n, maxPriorityFeePerGas: 1n }, "fee_over_cap"],
    [{ gas: 21_000n, maxFeePerGas: 500n, maxPriorityFeePerGas: 51n }, "fee_over_cap"],
  ])("refuse to sign %o", (fees, reason) => {
    expect(() => requireWithinCaps(fees, caps, null)).toThrow(expect.objectContaining({ reason }));
  });
});
