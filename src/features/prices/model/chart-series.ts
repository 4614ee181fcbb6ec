import type { PriceRange } from "#contract/price-range.ts";
import type { PriceHistoryAnswer } from "#contract/prices.ts";

/** Seconds since 1970 and a price as it is read, and as it is drawn; a time without a price is a gap in the line. */
export type SeriesPoint = { readonly time: number; readonly price?: string; readonly value?: number };

const STEP_SECONDS: Readonly<Record<PriceRange, number>> = {
  "24h": 60,
  "7d": 3_600,
  "1m": 3_600,
  "1y": 86_400,
  all: 86_400,
};

/** What a chart draws: the points, and a gap wherever one is missing. */
export function chartSeries({ points, range }: Pick<PriceHistoryAnswer, "points" | "range">): SeriesPoint[] {
  const step = STEP_SECONDS[range];
  const series: SeriesPoint[] = [];
  for (const [at, price] of points) {
    const time = Math.floor(Date.parse(at) / 1_000);
    const before = series.at(-1)?.time;
    if (before !== undefined && time > before + step) series.push({ time: before + step });
    series.push({ time, price, value: Number(price) });
  }
  return series;
}
