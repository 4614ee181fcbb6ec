import { expect, it } from "vitest";
import { createLog } from "../../base/logging/log.ts";
import { createCandleReader } from "./candles.ts";
import type { CandleVenue } from "./port.ts";

const E18 = 10n ** 18n;
const HOUR = 3_600_000;
const TIME = { timeframe: "1h", from: new Date(0), until: new Date(4 * HOUR) } as const;

type Shown = Record<string, readonly (number | null)[]>;
/** Shows so many dollars in each hour; null: it has no candle of that hour. */
const venue = (name: string, shown: Shown | null): CandleVenue => ({
  name,
  async candles(symbols) {
    if (shown === null) throw new Error("the venue is away");
    const symbol = symbols.find((one) => one in shown) ?? null;
    const opens = new Map(
      (symbol === null ? [] : (shown[symbol] ?? [])).flatMap((price, hour) =>
        price === null ? [] : [[hour * HOUR, BigInt(Math.round(price * 100)) * 10n ** 16n] as const],
      ),
    );
    return { symbol, opens };
  },
});
const reader = (...venues: CandleVenue[]) =>
  createCandleReader({
    venues,
    limits: { minVenues: 2, outlierBps: 300n },
    log: createLog({ level: "silent" }),
  });
const dollars = async (venues: CandleVenue[], title = "ETH") =>
  Array.from((await reader(...venues)(title, TIME)).prices, ([at, price]) => [
    at / HOUR,
    Number(price / 10n ** 16n) / 100,
  ]);

it.each<[why: string, venues: CandleVenue[], expected: number[][]]>([
  [
    "the middle of venues that agree",
    [venue("a", { "ETH/USD": [100, 200] }), venue("b", { "ETH/USD": [102, 202] })],
    [
      [0, 101],
      [1, 201],
    ],
  ],
  [
    "a gap where nobody has a candle, and one venue's where no other goes back so far",
    [venue("a", { "ETH/USD": [100, null, 300] }), venue("b", { "ETH/USD": [null, null, 302] })],
    [
      [0, 100],
      [2, 301],
    ],
  ],
  [
    "a gap where two venues don't agree",
    [venue("a", { "ETH/USD": [100, 100] }), venue("b", { "ETH/USD": [150, 101] })],
    [[1, 100.5]],
  ],
  [
    "without the one that deviates from all others",
    [venue("a", { "ETH/USD": [100] }), venue("b", { "ETH/USD": [900] }), venue("c", { "ETH/USD": [102] })],
    [[0, 101]],
  ],
  [
    "in dollars from a market in the dollar coin, where that one's price is known",
    [venue("a", { "ETH/USDT": [100, 200], "USDT/USD": [0.99, null] })],
    [[0, 99]],
  ],
  ["what the others have where one is away", [venue("a", null), venue("b", { "ETH/USD": [100] })], [[0, 100]]],
  ["nothing of a coin that nobody has", [venue("a", { "BTC/USD": [1] })], []],
])("a coin's candles are %s", async (_, venues, expected) => {
  expect(await dollars(venues)).toEqual(expected);
});

it("the dollar coin's are its own", async () => {
  const asked: (readonly string[])[] = [];
  const watched: CandleVenue = {
    name: "a",
    candles: async (symbols) => {
      asked.push(symbols);
      return { symbol: symbols[0] ?? null, opens: new Map([[0, E18]]) };
    },
  };
  expect(await dollars([watched], "usdt")).toEqual([[0, 1]]);
  expect(asked).toEqual([["USDT/USD"]]);
});

it("fails where no venue answers", async () => {
  await expect(dollars([venue("a", null), venue("b", null)])).rejects.toThrow("no venue has answered");
});

it.each<[isWhole: boolean, why: string, venues: CandleVenue[]]>([
  [true, "all venues have answered, also those without the coin", [venue("a", { "ETH/USD": [1] }), venue("b", {})]],
  [false, "one is away that may know more", [venue("a", null), venue("b", {})]],
  [
    false,
    "one does not say what the dollar coin cost",
    [
      venue("a", { "ETH/USDT": [1] }),
      {
        name: "b",
        candles: async (symbols) => {
          if (symbols.includes("USDT/USD")) throw new Error("the venue is away");
          return { symbol: null, opens: new Map() };
        },
      },
    ],
  ],
])("candles are whole: %s, where %s", async (isWhole, _, venues) => {
  expect((await reader(...venues)("ETH", TIME)).isWhole).toBe(isWhole);
});
