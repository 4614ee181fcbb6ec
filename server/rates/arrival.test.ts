import { describe, expect, it } from "vitest";
import { createArrivalTimes } from "./arrival.ts";

const paces = new Map([
  ["BTC", 600],
  ["SOL", 0.4],
]);
const measured = new Map([["BTC", 95.2]]);

const CASES: readonly (readonly [what: string, from: string, blocks: number, to: string, seconds: number | null])[] = [
  ["blocks of the deposit and a measured payout", "SOL", 32, "BTC", 108],
  ["blocks of the deposit and the next block of the payout", "BTC", 2, "SOL", 1201],
  ["a payout alone", "BTC", 0, "SOL", 1],
  ["a deposit on a network without a known pace", "CARD", 1, "SOL", null],
  ["a deposit that needs no more blocks, whatever its network's pace", "CARD", 0, "SOL", 1],
  ["a payout on a network without a known pace", "SOL", 1, "CARD", null],
];

describe("seconds until coins arrive (contract §2)", () => {
  const times = createArrivalTimes({
    blockSeconds: (network) => paces.get(network) ?? null,
    measuredSeconds: (network) => measured.get(network) ?? null,
  });

  it.each(CASES)("%s", (_what, from, blocks, to, seconds) => {
    expect(times.secondsLeft(from, blocks, to)).toBe(seconds);
  });

  it("a deposit that is credited at once still needs the block that takes it", () => {
    expect(times.secondsFromSending("BTC", 0, "SOL")).toBe(601);
    expect(times.secondsFromSending("BTC", 3, "SOL")).toBe(1801);
  });
});
