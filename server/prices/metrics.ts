import type { AreaMetric } from "../base/area-metric.ts";
import type { Database } from "../db/database.ts";
import { readPriceGaps } from "./gaps.ts";
import { FILLED_DAYS } from "./backfill-prices.ts";

/** How whole the price history is. */
export const priceMetrics = (database: Database): AreaMetric[] => [
  {
    name: "price_days_missing",
    help: "Days without a price between the first and the last one of a coin in the last two years",
    labelNames: ["coin"],
    source: "rows",
    read: async () =>
      (await readPriceGaps(database, FILLED_DAYS)).map(({ symbol, missing }) => ({
        labels: { coin: symbol },
        value: missing,
      })),
  },
];
