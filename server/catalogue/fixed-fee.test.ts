import { describe, expect, it } from "vitest";
import { createLog } from "../base/logging/log.ts";
import shipped from "./catalogue.json" with { type: "json" };
import { readCatalogue } from "./catalogue.ts";
import { usualFixedFee, warnOfLowFixedFees } from "./fixed-fee.ts";

describe("the fee of a fixed rate that the operator doesn't set", () => {
  it.each([
    ["half of the move that the rate bears", 300n, 0n, 150n],
    ["rounded up", 301n, 0n, 151n],
    ["less by the spread, which is charged beside it", 300n, 40n, 110n],
    ["no less than a floating rate's", 60n, 0n, 50n],
  ])("is %s", (_, volatilityBps, spreadBps, fee) => {
    expect(usualFixedFee({ volatilityBps }, { floatingFeeBps: 50n, spreadBps })).toBe(fee);
  });

  it("follows a pair's own spread, unless the operator sets one", () => {
    const { pairTerms } = readCatalogue({
      ...shipped,
      pairs: [
        { from: "eth", to: "dai-erc20", spreadBps: 20 },
        { from: "dai-erc20", to: "eth", fixedFeeBps: 100 },
      ],
    });
    expect(pairTerms("eth", "usdt-erc20").fixedFeeBps).toBe(150n);
    expect(pairTerms("eth", "dai-erc20").fixedFeeBps).toBe(130n);
    expect(pairTerms("dai-erc20", "eth").fixedFeeBps).toBe(100n);
  });
});

describe("a start", () => {
  const warnings = (file: object): unknown[] => {
    const lines: unknown[] = [];
    const log = createLog({ level: "warn", destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    warnOfLowFixedFees(readCatalogue({ ...shipped, ...file }), log);
    return lines;
  };

  it("warns of fixed rates that bear more than twice their fee", () => {
    const pairs = [{ from: "eth", to: "dai-erc20", fixedFeeBps: 149 }];
    expect(warnings({ pairs })).toMatchObject([{ pairs: 1, examples: ["eth-dai-erc20"], volatilityBps: 300 }]);
    expect(warnings({ pairs: pairs.map((pair) => ({ ...pair, hasFixedRate: false })) })).toEqual([]);
  });

  it("warns of none as shipped", () => {
    expect(warnings({})).toEqual([]);
  });
});
