import type { SeriesPoint } from "./chart-series.ts";

/** Of the picture's height, so that the line touches neither edge: the drawing that takes its place leaves as much. */
const TOP = 20;
const BOTTOM = 90;
/** More than a phone can tell apart. */
const MOST_POINTS = 240;
const LEVELS = 4;
const STEPS = [1, 2, 2.5, 5, 10];

export type ChartPicture = {
  /** SVG paths in a square of 100 by 100; a gap in the prices lifts the pen. */
  readonly line: string;
  readonly area: string;
  /** Round prices, each with its height in percent from above. */
  readonly levels: readonly { readonly price: number; readonly y: number }[];
};

/** The line of a chart as paths that need no code to be seen; null for fewer than two prices. */
export function chartPicture(series: readonly SeriesPoint[]): ChartPicture | null {
  const prices = series.flatMap(({ value }) => value ?? []);
  if (prices.length < 2) return null;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const y = (price: number) =>
    high === low ? (TOP + BOTTOM) / 2 : BOTTOM - ((price - low) / (high - low)) * (BOTTOM - TOP);
  const x = (at: number) => (at / (series.length - 1)) * 100;
  const lines = runs(series).map((run) => run.map(({ at, price }) => `${fixed(x(at))} ${fixed(y(price))}`));
  const levels = roundPrices(low, high).map((price) => ({ price, y: Number(fixed(y(price))) }));
  return {
    line: lines.map((points) => `M${points.join("L")}`).join(""),
    area: lines.map((points) => `M${points.join("L")}V100H${points[0]?.split(" ")[0] ?? 0}Z`).join(""),
    levels,
  };
}

type Placed = { readonly at: number; readonly price: number };

/** The prices between gaps, thinned; the first and the last of each stay. */
function runs(series: readonly SeriesPoint[]): Placed[][] {
  const step = Math.ceil(series.length / MOST_POINTS);
  const all: Placed[][] = [];
  let run: Placed[] = [];
  for (const [at, { value }] of [...series.entries(), [series.length, {} as SeriesPoint] as const]) {
    if (value !== undefined) run.push({ at, price: value });
    else if (run.length > 0) {
      all.push(run.filter((_, place) => (run.length - 1 - place) % step === 0 || place === 0));
      run = [];
    }
  }
  return all;
}

/** Some round numbers from `low` to `high`. */
function roundPrices(low: number, high: number): number[] {
  if (high === low) return [low];
  const rough = (high - low) / LEVELS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((one) => one * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

const fixed = (value: number): string => String(Number(value.toFixed(1)));
