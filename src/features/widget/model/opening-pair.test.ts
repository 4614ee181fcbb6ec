import { describe, expect, test } from "vitest";
import { limitPairs, openingPair } from "./opening-pair.ts";

const PAIRS = [
  { from: "btc", to: ["eth", "usdt-trc20"] },
  { from: "eth", to: ["btc", "xmr"] },
  { from: "xmr", to: ["btc"] },
];

describe("pairs are limited", () => {
  test.each<[names: string[], limited: typeof PAIRS]>([
    [[], PAIRS],
    [["btc-usdt-trc20"], [{ from: "btc", to: ["usdt-trc20"] }]],
    [
      ["xmr-btc", "btc-eth", "no-such"],
      [
        { from: "btc", to: ["eth"] },
        { from: "xmr", to: ["btc"] },
      ],
    ],
    [["no-such"], PAIRS],
  ])("to %j", (names, limited) => {
    expect(limitPairs(PAIRS, names)).toEqual(limited);
  });
});

describe("a widget opens", () => {
  const usual = { from: "btc", to: "usdt-trc20" };
  test.each<[asked: { from?: string; to?: string }, opened: string]>([
    [{}, "btc usdt-trc20"],
    [{ from: "eth", to: "xmr" }, "eth xmr"],
    [{ from: "eth" }, "eth btc"],
    [{ to: "btc" }, "eth btc"],
    [{ to: "eth" }, "btc eth"],
    // Not offered together.
    [{ from: "xmr", to: "eth" }, "btc usdt-trc20"],
    [{ from: "no-such" }, "btc usdt-trc20"],
  ])("%j with %s", (asked, opened) => {
    const { from, to } = openingPair(PAIRS, asked, usual);
    expect(`${from} ${to}`).toBe(opened);
  });

  test("with a pair of its list where the usual one is not on it", () => {
    expect(openingPair(limitPairs(PAIRS, ["eth-xmr"]), {}, usual)).toEqual({ from: "eth", to: "xmr" });
  });
});
