import { describe, expect, it } from "vitest";
import { readPastedAddress } from "./payment-link.ts";

describe("readPastedAddress", () => {
  it.each([
    ["  0xabc \n", "0xabc", null],
    ["ethereum:0xabc@31337?value=1e18", "0xabc", null],
    ["ethereum:pay-0xabc", "0xabc", null],
    ["ethereum:0xtoken@1/transfer?address=0xabc&uint256=5", "0xabc", null],
    ["bitcoin:bc1qxyz?amount=0.1", "bc1qxyz", null],
    ["ton://transfer/UQabc?amount=500&text=482910377", "UQabc", "482910377"],
    ["ripple:rHUX?dt=2049183714", "rHUX", "2049183714"],
    ["bc1qxyz", "bc1qxyz", null],
  ])("%j", (pasted, address, memo) => {
    expect(readPastedAddress(pasted)).toEqual({ address, memo });
  });
});
