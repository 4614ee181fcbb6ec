import type { CatalogueInstrument } from "../catalogue/index.ts";
import type { PriceSnapshot } from "../rates/port.ts";

/** A coin with all its networks: `symbol` is the lower-case `currencyTitle` (contract §12). */
export type Coin = { symbol: string; slugs: readonly string[] };

/** The coins that are traded, without fiat money, in the catalogue's order. */
export function coinsOf(instruments: Iterable<CatalogueInstrument>): Coin[] {
  const coins = new Map<string, string[]>();
  for (const { currencyTitle, slug, instrumentType, isActive } of instruments) {
    if (!isActive || instrumentType === "fiat") continue;
    const symbol = currencyTitle.toLowerCase();
    coins.set(symbol, [...(coins.get(symbol) ?? []), slug]);
  }
  return [...coins].map(([symbol, slugs]) => ({ symbol, slugs }));
}

/** Money that prices are shown in beside the dollar, which all of them are counted in: its own price has a history too. */
const CURRENCIES = new Set(["eur"]);

/** The coins, and the currencies that their prices are shown in. */
export function pricedOf(instruments: Iterable<CatalogueInstrument>): Coin[] {
  const all = [...instruments];
  const currencies = all.filter(({ instrumentType, slug }) => instrumentType === "fiat" && CURRENCIES.has(slug));
  return [
    ...coinsOf(all),
    ...currencies.map(({ currencyTitle, slug }) => ({ symbol: currencyTitle.toLowerCase(), slugs: [slug] })),
  ];
}

/** By symbol: the price of a coin's first network that has one; a coin without any is left out. */
export function coinPrices(coins: readonly Coin[], prices: PriceSnapshot["prices"]): ReadonlyMap<string, bigint> {
  return new Map(
    coins.flatMap(({ symbol, slugs }) => {
      const price = slugs.map((slug) => prices.get(slug)).find((known) => known !== undefined && known > 0n);
      return price === undefined ? [] : [[symbol, price] as const];
    }),
  );
}
