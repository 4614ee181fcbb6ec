export { startPriceBackfill } from "./backfill-prices.ts";
export { openPrices, type Prices } from "./prices.ts";
export { startPriceRecorder } from "./record-prices.ts";
export { priceHandlers } from "./routes.ts";
