import type { PriceRange } from "#contract/price-range.ts";
import type { PriceHistoryAnswer } from "#contract/prices.ts";
import { browserApi } from "../../shared/http/http.ts";

export const readPriceHistory = (symbol: string, range: PriceRange): Promise<PriceHistoryAnswer> =>
  browserApi.call("priceHistory", { params: { symbol }, query: { range } });
