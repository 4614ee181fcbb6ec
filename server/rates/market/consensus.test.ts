import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consensus } from "./consensus.ts";

const limits = { minVenues: 2, outlierBps: 300n };

describe("what venues agree on", () => {
  it.each<[why: string, prices: bigint[], agreed: bigint | null]>([
    ["nothing without a venue", [], null],
    ["nothing from one venue", [1000n], null],
    ["the middle of two", [1000n, 1010n], 1005n],
    ["the median of three", [1000n, 1010n, 1020n], 1010n],
    ["the others, when one stands far off", [1000n, 1002n, 5000n], 1001n],
    ["the others, when one is zero", [0n, 1000n, 1002n], 1001n],
    ["nothing, when two contradict each other", [1000n, 1100n], null],
    ["nothing, when two camps are equal", [1000n, 1001n, 2000n, 2001n], null],
    ["nothing from prices under zero", [-5n, -5n, -5n], null],
  ])("is %s", (_why, prices, agreed) => {
    expect(consensus(prices, limits)).toBe(agreed);
  });

  it("never follows a minority, whatever it says", () => {
    const correct = fc.array(fc.bigInt(100_000n, 100_500n), { minLength: 3, maxLength: 7 });
    fc.assert(
      fc.property(correct, fc.array(fc.bigInt(0n, 10n ** 12n), { maxLength: 2 }), (good, bad) => {
        const agreed = consensus([...bad, ...good], limits);
        expect(agreed === null || (agreed >= 97_000n && agreed <= 103_600n)).toBe(true);
      }),
    );
  });
});
