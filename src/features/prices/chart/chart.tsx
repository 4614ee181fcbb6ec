import { type KeyboardEvent, Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PriceHistoryAnswer } from "#contract/prices.ts";
import { formatDateTime } from "../../../shared/format/format-time.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { ErrorBoundary } from "../../../shared/page/error-boundary.tsx";
import { useHydrated, useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { Note } from "../../../shared/ui/index.ts";
import { chartSeries } from "../model/chart-series.ts";
import "./chart.css";

const PriceChart = lazy(async () => ({ default: (await import("./price-chart.tsx")).PriceChart }));

type ChartProps = {
  /** What it shows, for who can't see it. */
  readonly label: string;
  readonly history: Pick<PriceHistoryAnswer, "points" | "range">;
  readonly format: (price: string | null) => string;
};

/** A chart that is drawn, read point by point by pointer, finger and arrow keys, and as a table. */
export function Chart({ label, history, format }: ChartProps) {
  const { t } = useTranslation("prices");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const isHydrated = useHydrated();
  const [current, setCurrent] = useState<number | null>(null);
  const series = chartSeries(history);
  const known = series.flatMap(({ value }, index) => (value === undefined ? [] : [index]));
  const read = (index: number) => {
    const time = new Date((series[index]?.time ?? 0) * 1_000).toISOString();
    const price = history.points.find(([at]) => Date.parse(at) === Date.parse(time))?.[1] ?? null;
    return { price: format(price), time: formatDateTime(time, locale, { timeZone }) };
  };
  const place = current === null ? known.length - 1 : Math.max(0, known.indexOf(current));
  const shown = read(known[place] ?? 0);
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: known.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setCurrent(known[Math.min(known.length - 1, Math.max(0, to))] ?? null);
  };
  return (
    <>
      <div
        className="w-chart__frame"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={known.length - 1}
        aria-valuenow={place}
        aria-valuetext={t("chart.at", shown)}
        onKeyDown={move}
      >
        <p className="w-chart__reading w-number" aria-hidden="true">
          <strong>{shown.price}</strong> {shown.time}
        </p>
        {isHydrated ? (
          <ErrorBoundary renderFallback={() => <Note tone="danger" title={t("chart.failed")} />}>
            <Suspense fallback={<div className="w-chart__drawing" />}>
              <PriceChart
                series={series}
                withTime={history.range === "24h" || history.range === "7d"}
                locale={locale}
                current={current}
                onCurrent={setCurrent}
              />
            </Suspense>
          </ErrorBoundary>
        ) : (
          <div className="w-chart__drawing" />
        )}
      </div>
      <details className="w-chart__table">
        <summary>{t("chart.table")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("chart.time")}</th>
              <th scope="col">{t("list.price")}</th>
            </tr>
          </thead>
          <tbody className="w-number">
            {sampled(known).map((index) => {
              const { price, time } = read(index);
              return (
                <tr key={index}>
                  <th scope="row">{time}</th>
                  <td>{price}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </details>
    </>
  );
}

const ROWS = 24;

/** So many of them, the last one among them. */
function sampled(indexes: readonly number[]): number[] {
  const step = Math.max(1, Math.ceil(indexes.length / ROWS));
  return indexes.filter((_, at) => (indexes.length - 1 - at) % step === 0).toReversed();
}
