import { describe, expect, it } from "vitest";
import { loadCatalogue } from "../catalogue/index.ts";
import { coinPrices, coinsOf } from "./coins.ts";

describe("the coins of the price pages", () => {
  it("join the networks of a coin, and leave out fiat money and what is not traded", async () => {
    const [template] = (await loadCatalogue({})).instruments.values();
    if (template === undefined) throw new Error("the catalogue is empty");
    const one = (slug: string, currencyTitle: string, other = {}) => ({
      ...template,
      instrumentType: "other" as const,
      isActive: true,
      slug,
      currencyTitle,
      ...other,
    });
    const instruments = [
      one("usdt-erc20", "USDT"),
      one("btc", "BTC"),
      one("usdt-trc20", "USDT"),
      one("eur", "EUR", { instrumentType: "fiat" }),
      one("doge", "DOGE", { isActive: false }),
    ];
    expect(coinsOf(instruments)).toEqual([
      { symbol: "usdt", slugs: ["usdt-erc20", "usdt-trc20"] },
      { symbol: "btc", slugs: ["btc"] },
    ]);
  });

  it.each([
    ["of the first network", { "usdt-erc20": 10n, "usdt-trc20": 11n }, 10n],
    ["of another network where the first has none", { "usdt-trc20": 11n }, 11n],
    ["of no network", { btc: 5n }, undefined],
    ["of zero, which is none", { "usdt-erc20": 0n }, undefined],
  ])("have the price %s", (_, prices, expected) => {
    const coins = [{ symbol: "usdt", slugs: ["usdt-erc20", "usdt-trc20"] }];
    expect(coinPrices(coins, new Map(Object.entries(prices))).get("usdt")).toBe(expected);
  });
});
