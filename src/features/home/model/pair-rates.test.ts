import { describe, expect, it } from "vitest";
import { popularPairs } from "./pair-rates.ts";
import { instrument } from "../testing/fake-api.ts";

describe("the amount that a rate is requested for", () => {
  it.each([
    ["3000", 6, "0.166666"],
    ["1", 6, "500"],
    ["0.5", 6, "1000"],
    ["92410.25", 6, "0.00541"],
    ["1000000000", 6, null],
    ["0", 6, null],
    ["0.000012", 2, "41666666.66"],
    ["7", 0, "71"],
  ])("of a coin at $%s, to %d decimals, is %s", (price, decimals, amount) => {
    const coin = instrument("x", "X", { price, precisionDecimals: decimals });
    const [pair] = popularPairs({ instruments: [coin, instrument("y", "Y")], pairs: [{ from: "x", to: ["y"] }] });
    expect(pair?.requestedAmount).toBe(amount);
  });
});

const instruments = [
  instrument("eth", "ETH", { price: "3000" }),
  instrument("usdt-erc20", "USDT"),
  instrument("ltc", "LTC", { isPopular: false }),
  instrument("usdt-trc20", "USDT"),
  instrument("btc", "BTC", { price: null }),
];
const slugs = instruments.map(({ slug }) => slug);
const pairs = slugs.map((from) => ({ from, to: slugs.filter((slug) => slug !== from) }));
const named = (given: Parameters<typeof popularPairs>[0]) =>
  popularPairs(given).map(({ from, to }) => `${from.slug}>${to.slug}`);

describe("popular pairs", () => {
  it("are those of two popular coins, the catalogue's first coins ahead, without a coin on two networks", () => {
    expect(named({ instruments, pairs })).toEqual([
      "eth>usdt-erc20",
      "usdt-erc20>eth",
      "eth>usdt-trc20",
      "usdt-trc20>eth",
      "eth>btc",
      "btc>eth",
      "usdt-erc20>btc",
      "btc>usdt-erc20",
      "usdt-trc20>btc",
      "btc>usdt-trc20",
    ]);
  });

  it("are only those that can be exchanged", () => {
    expect(named({ instruments, pairs: [{ from: "btc", to: ["eth", "gone"] }] })).toEqual(["btc>eth"]);
    expect(named({ instruments, pairs: [] })).toEqual([]);
  });

  it("are asked for about 500 USD's worth, and not at all without a price", () => {
    const [first, second] = popularPairs({
      instruments,
      pairs: [
        { from: "eth", to: ["btc"] },
        { from: "btc", to: ["eth"] },
      ],
    });
    expect([first?.requestedAmount, second?.requestedAmount]).toEqual(["0.166666", null]);
  });

  it("are 12 at most", () => {
    const many = Array.from({ length: 8 }, (_, index) => instrument(`c${index}`, `C${index}`));
    const all = many.map(({ slug }) => ({
      from: slug,
      to: many.map((other) => other.slug).filter((to) => to !== slug),
    }));
    expect(popularPairs({ instruments: many, pairs: all })).toHaveLength(12);
  });
});
