import type { PriceRange } from "#contract/price-range.ts";
import { chartPicture } from "../model/chart-picture.ts";
import type { SeriesPoint } from "../model/chart-series.ts";
import { axisText, hiddenClock, type TimeTexts } from "../model/point-time.ts";
import { formatLevel } from "../model/price-levels.ts";

type ChartPictureProps = { readonly series: readonly SeriesPoint[]; readonly texts: TimeTexts };

const FOUR = [0, 1 / 3, 2 / 3, 1];
/** Where along the line its times stand; a year makes them longer. */
const TIMES_AT: Readonly<Record<PriceRange, readonly number[]>> = {
  "24h": FOUR,
  "7d": FOUR,
  "1m": FOUR,
  "1y": [0, 1],
  all: [0, 1],
};

/** A chart before it is touched, and without scripts; who can't see it has the figures and the table beside it. */
export function ChartPicture({ series, texts }: ChartPictureProps) {
  const picture = chartPicture(series);
  const highest = Math.max(...series.map(({ value = 0 }) => value));
  const times = TIMES_AT[texts.range].map((part) =>
    axisText(series[Math.round((series.length - 1) * part)]?.time ?? 0, texts),
  );
  return (
    <div className="w-chart__drawing w-chart__picture w-number" aria-hidden="true">
      <div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          {picture?.levels.map(({ y }) => (
            <path key={y} className="w-chart__level" d={`M0 ${y}H100`} />
          ))}
          <path className="w-chart__area" d={picture?.area} />
          <path className="w-chart__line" d={picture?.line} />
        </svg>
      </div>
      <div className="w-chart__levels">
        {picture?.levels.map(({ price, y }) => (
          <span key={y} style={{ insetBlockStart: `${y}%` }}>
            {formatLevel(price, highest)}
          </span>
        ))}
        <span className="w-chart__widest">{formatLevel(highest, highest)}</span>
      </div>
      <div className="w-chart__days" data-clock={hiddenClock(texts)}>
        {times.map((text, place) => (
          <span key={place}>{text}</span>
        ))}
      </div>
    </div>
  );
}
