import { useTranslation } from "react-i18next";
import type { PriceRange } from "#contract/price-range.ts";
import { formatTime } from "../../../shared/format/format-time.ts";
import { chartPicture } from "../model/chart-picture.ts";
import type { SeriesPoint } from "../model/chart-series.ts";
import { pointDay } from "../model/point-time.ts";
import { formatLevel } from "../model/price-levels.ts";

type ChartPictureProps = { readonly series: readonly SeriesPoint[]; readonly range: PriceRange };

const FOUR = [0, 1 / 3, 2 / 3, 1];
/** Where along the line its times stand, of UTC as in the drawing that takes its place; a year makes them longer. */
const TEXTS: Readonly<Record<PriceRange, readonly number[]>> = {
  "24h": FOUR,
  "7d": FOUR,
  "1m": FOUR,
  "1y": [0, 1],
  all: [0, 1],
};

/** A chart before it is touched, and without scripts; who can't see it has the figures and the table beside it. */
export function ChartPicture({ series, range }: ChartPictureProps) {
  const { t } = useTranslation("prices");
  const picture = chartPicture(series);
  const highest = Math.max(...series.map(({ value = 0 }) => value));
  const texts = TEXTS[range].map((part) => {
    const { time = 0 } = series[Math.round((series.length - 1) * part)] ?? {};
    const at = new Date(time * 1_000);
    if (range === "24h") return formatTime(at.toISOString(), "UTC");
    const day = pointDay(time, t("chart.months"));
    return range === "1y" || range === "all" ? `${day} ${at.getUTCFullYear()}` : day;
  });
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
      <div className="w-chart__days">
        {texts.map((text, place) => (
          <span key={place}>{text}</span>
        ))}
      </div>
    </div>
  );
}
