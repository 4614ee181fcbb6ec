import type { Handlers } from "../base/routes.ts";
import type { Prices } from "./prices.ts";

/** The calls of prices (contract §12). */
export const priceHandlers = (prices: Prices): Pick<Handlers, "prices" | "priceHistory"> => ({
  prices: () => prices.list(),
  priceHistory: ({ params: { symbol }, query: { range } }) => prices.history(symbol, range),
});
