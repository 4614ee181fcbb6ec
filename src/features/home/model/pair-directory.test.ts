import { expect, it } from "vitest";
import { instrument } from "../testing/fake-api.ts";
import { pairDirectory } from "./pair-directory.ts";

const catalogue = {
  instruments: [
    instrument("eth", "ETH", { isPopular: true }),
    instrument("btc", "BTC", { isPopular: true }),
    instrument("doge", "DOGE", { isPopular: false }),
    instrument("ltc", "LTC", { isPopular: false }),
  ],
  pairs: [
    { from: "doge", to: ["eth", "ltc"] },
    { from: "btc", to: ["eth"] },
    { from: "eth", to: ["ltc", "btc", "doge"] },
  ],
};
const asked = { from: "doge", to: "ltc", lastAt: "2026-11-21T09:00:00Z" };

it("names the pairs of popular coins and those that customers ask for, by the coin that is sent", () => {
  const { coins, entries } = pairDirectory(catalogue, [asked]);
  expect(entries).toEqual([
    { from: "eth", to: ["btc"] },
    { from: "btc", to: ["eth"] },
    { from: "doge", to: ["ltc"] },
  ]);
  expect(coins.map(({ slug }) => slug)).toEqual(["eth", "btc", "doge", "ltc"]);
  expect(pairDirectory(catalogue, []).entries).toHaveLength(2);
});
