import { describe, expect, it } from "vitest";
import { ETH, sampleInstrument, USDT } from "../testing/samples.ts";
import { withCardPairs } from "./card-pairs.ts";

const USD = sampleInstrument("usd", { instrumentType: "fiat" });
const LTC = sampleInstrument("ltc");
const pairs = [
  { from: "eth", to: ["usdt-erc20"] },
  { from: "usdt-erc20", to: ["eth"] },
];

describe("withCardPairs", () => {
  it("adds what is bought and sold by card to what is exchanged", () => {
    expect(withCardPairs(pairs, [USD, ETH, LTC])).toEqual([
      { from: "eth", to: ["usdt-erc20", "usd"] },
      { from: "usdt-erc20", to: ["eth"] },
      { from: "ltc", to: ["usd"] },
      { from: "usd", to: ["eth", "ltc"] },
    ]);
  });

  it.each([
    ["nothing is traded by card", []],
    ["there is no currency", [ETH, USDT]],
    ["there is no coin", [USD]],
  ])("leaves the pairs as they are where %s", (_, byCard) => {
    expect(withCardPairs(pairs, byCard)).toBe(pairs);
  });
});
