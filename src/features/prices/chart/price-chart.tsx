import {
  AreaSeries,
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ISeriesApi,
  TickMarkType,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef } from "react";
import type { PriceRange } from "#contract/price-range.ts";
import { useColourChanges } from "../../../shared/browser/theme.ts";
import type { SeriesPoint } from "../model/chart-series.ts";
import { type Clock, drawnTimes, type MarkKind, markText, pointTime } from "../model/point-time.ts";
import { formatLevel, minMoveOf } from "../model/price-levels.ts";

type PriceChartProps = {
  readonly series: readonly SeriesPoint[];
  readonly range: PriceRange;
  readonly months: string;
  readonly clock: Clock;
  readonly locale: string;
  /** The index of the point under the crosshair; null: none. */
  readonly current: number | null;
  readonly onCurrent: (index: number | null) => void;
};

type Drawn = { readonly chart: IChartApi; readonly area: ISeriesApi<"Area"> };

/** The drawing alone: who can't see it has the figures and the table beside it. */
export function PriceChart({ series, range, months, clock, locale, current, onCurrent }: PriceChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const report = useRef(onCurrent);
  const known = useRef<KnownPoints>({ series: [], drawn: [] });
  useEffect(() => {
    report.current = onCurrent;
  });

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const chart = createChart(element, { autoSize: true, localization: { locale }, ...OPTIONS });
    const area = chart.addSeries(AreaSeries, { lineWidth: 2, priceLineVisible: false, lastValueVisible: false });
    drawn.current = { chart, area };
    // A finger that has left keeps the point that it chose.
    let isTouched = false;
    chart.subscribeCrosshairMove(({ time, sourceEvent }) => {
      // Moved there by the keys: it is announced a frame later, when they may have gone on.
      if (time !== undefined && sourceEvent === undefined) return;
      const index = time === undefined ? -1 : known.current.drawn.indexOf(Number(time));
      if (index === -1 && isTouched) return;
      report.current(index === -1 ? null : index);
    });
    const follow = ({ pointerType, clientX }: PointerEvent) => {
      isTouched = pointerType !== "mouse";
      if (!isTouched) return;
      const x = clientX - element.getBoundingClientRect().left;
      const index = nearestKnown(known.current.series, chart.timeScale().coordinateToLogical(x));
      if (index !== null) report.current(index);
    };
    element.addEventListener("pointerdown", follow);
    element.addEventListener("pointermove", follow);
    return () => {
      element.removeEventListener("pointerdown", follow);
      element.removeEventListener("pointermove", follow);
      drawn.current = null;
      chart.remove();
    };
  }, [locale]);

  const colourChanges = useColourChanges();
  useEffect(() => {
    if (frame.current === null) return;
    const theme = themeOf(frame.current);
    drawn.current?.chart.applyOptions(theme.chart);
    drawn.current?.area.applyOptions(theme.area);
  }, [colourChanges, locale]);

  useEffect(() => {
    const { chart, area } = drawn.current ?? {};
    const texts = { range, months, clock };
    const times = drawnTimes(
      series.map(({ time }) => time),
      texts,
    );
    known.current = { series, drawn: times };
    // What the drawing moved is read by the point that stands there, as everything else about it.
    const at = (time: unknown) => series[times.indexOf(Number(time))]?.time ?? Number(time);
    chart?.applyOptions({
      localization: { timeFormatter: (time: unknown) => pointTime(at(time), texts) },
      timeScale: {
        timeVisible: range === "24h" || range === "7d",
        secondsVisible: false,
        tickMarkFormatter: (time: unknown, type: TickMarkType) => markText(at(time), MARKS[type], texts),
      },
    });
    area?.setData(
      series.map(({ value }, index) => ({ time: timeAt(times, index), ...(value !== undefined && { value }) })),
    );
    const highest = Math.max(...series.map(({ value = 0 }) => value));
    const formatter = (price: number) => formatLevel(price, highest);
    area?.applyOptions({ priceFormat: { type: "custom", minMove: minMoveOf(highest), formatter } });
    chart?.timeScale().fitContent();
  }, [series, range, months, clock, locale]);

  useEffect(() => {
    const { chart, area } = drawn.current ?? {};
    const point = current === null ? undefined : series[current];
    if (chart === undefined || area === undefined) return;
    if (point?.value === undefined) chart.clearCrosshairPosition();
    else chart.setCrosshairPosition(point.value, timeAt(known.current.drawn, current ?? 0), area);
  }, [current, series]);

  return <div className="w-chart__drawing" ref={frame} aria-hidden="true" />;
}

type KnownPoints = { readonly series: readonly SeriesPoint[]; readonly drawn: readonly number[] };

const timeAt = (drawn: readonly number[], index: number): UTCTimestamp => (drawn[index] ?? 0) as UTCTimestamp;

const MARKS: Readonly<Record<TickMarkType, MarkKind>> = {
  [TickMarkType.Year]: "year",
  [TickMarkType.Month]: "month",
  [TickMarkType.DayOfMonth]: "day",
  [TickMarkType.Time]: "time",
  [TickMarkType.TimeWithSeconds]: "time",
};

const OPTIONS = {
  // The page scrolls under a finger, and its wheel.
  handleScroll: false,
  handleScale: false,
  crosshair: { mode: CrosshairMode.Magnet, horzLine: { visible: false, labelVisible: false } },
  // As wide as its labels get: live prices lengthen them, and the chart would jump.
  rightPriceScale: { borderVisible: false, entireTextOnly: true, minimumWidth: 72 },
  timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true },
} as const;

/** The point at a place of the chart, or the one beside it where there is a gap. */
function nearestKnown(series: readonly SeriesPoint[], place: number | null): number | null {
  if (place === null) return null;
  let nearest: number | null = null;
  for (const [index, { value }] of series.entries())
    if (value !== undefined && (nearest === null || Math.abs(index - place) < Math.abs(nearest - place)))
      nearest = index;
  return nearest;
}

/** The page's own colours, which a canvas can't inherit. */
function themeOf(element: HTMLElement) {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const lines = { color: colour("--line") };
  return {
    chart: {
      layout: {
        background: { type: ColorType.Solid, color: colour("--surface") },
        textColor: colour("--text-2"),
        fontFamily: style.fontFamily,
        // The page names the maker beside the chart.
        attributionLogo: false,
      },
      grid: { vertLines: { visible: false }, horzLines: lines },
      crosshair: { vertLine: { color: colour("--line-strong"), labelBackgroundColor: colour("--navy") } },
    },
    area: {
      lineColor: colour("--accent"),
      topColor: `${colour("--accent")}33`,
      bottomColor: `${colour("--accent")}05`,
      crosshairMarkerBackgroundColor: colour("--accent"),
    },
  };
}
