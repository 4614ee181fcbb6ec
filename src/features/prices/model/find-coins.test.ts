import { describe, expect, it } from "vitest";
import type { ListedCoin } from "../load.ts";
import { findCoins, LISTED, nextSorting, sortOf } from "./find-coins.ts";

const coin = (ticker: string, name: string, change: string | null, price: string | null = "1"): ListedCoin => ({
  symbol: ticker.toLowerCase(),
  ticker,
  name,
  slugs: [],
  priceUsd: price,
  change24h: change,
  change7d: null,
  sparkline: [],
  mark: { currencyTitle: ticker, networkTitle: ticker, instrumentType: "other" },
});
const coins = [
  coin("XMR", "Monero", "-1.5", "160"),
  coin("BTC", "Bitcoin", "2", "92410"),
  coin("NEW", "Newcomer", null, null),
  coin("ETH", "Ethereum", "-12", "3000"),
  coin("LTC", "Litecoin", "10", "90"),
];
const tickers = (...given: Parameters<typeof findCoins>) => findCoins(...given).map(({ ticker }) => ticker);

describe("the list of coins", () => {
  it.each([
    ["", ["XMR", "BTC", "NEW", "ETH", "LTC"]],
    [" COIN ", ["BTC", "LTC"]],
    ["eth", ["ETH"]],
    ["nothing", []],
  ])("is searched for %j by name and ticker", (words, expected) =>
    expect(tickers(coins, words, LISTED)).toEqual(expected),
  );

  it.each([
    ["name", ["BTC", "ETH", "LTC", "XMR", "NEW"]],
    ["price", ["BTC", "ETH", "XMR", "LTC", "NEW"]],
    ["change24h", ["LTC", "BTC", "XMR", "ETH", "NEW"]],
  ] as const)("is sorted by %s, what is unknown last", (by, expected) =>
    expect(tickers(coins, "", { by, isReversed: false })).toEqual(expected),
  );

  it.each([
    ["name", ["NEW", "XMR", "LTC", "ETH", "BTC"]],
    ["price", ["LTC", "XMR", "ETH", "BTC", "NEW"]],
    ["change24h", ["ETH", "XMR", "BTC", "LTC", "NEW"]],
  ] as const)("is sorted by %s the other way round, what is unknown still last", (by, expected) =>
    expect(tickers(coins, "", { by, isReversed: true })).toEqual(expected),
  );

  it.each([
    ["name", "ascending", "descending"],
    ["price", "descending", "ascending"],
  ] as const)("is turned by a second press on %s, and as listed after a third", (by, first, second) => {
    const once = nextSorting(LISTED, by);
    const twice = nextSorting(once, by);
    expect([once, twice].map((sorting) => sortOf(sorting, by))).toEqual([first, second]);
    expect(sortOf(once, "change7d")).toBeUndefined();
    expect(nextSorting(twice, by)).toEqual(LISTED);
  });
});
