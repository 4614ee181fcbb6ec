import type { Handlers } from "../base/routes.ts";
import type { Prices } from "./prices.ts";

/** The calls of prices (contract §12). */
export const priceHandlers = (prices: Prices): Pick<Handlers, "prices" | "priceHistory"> => ({
  prices: async ({ query: { symbols } }) => {
    const all = await prices.list();
    if (symbols === undefined) return all;
    const wanted = new Set(symbols.split(","));
    return all.filter(({ symbol }) => wanted.has(symbol));
  },
  priceHistory: ({ params: { symbol }, query: { range } }) => prices.history(symbol, range),
});
