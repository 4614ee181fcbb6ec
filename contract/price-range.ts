/** How far back a price chart goes: by minutes, hours (twice) and days (twice). Without schemas, which no first load waits for. */
export const PRICE_RANGES = ["24h", "7d", "1m", "1y", "all"] as const;
export type PriceRange = (typeof PRICE_RANGES)[number];
