import { type KeyboardEvent, Suspense, lazy, startTransition, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PriceHistoryAnswer } from "#contract/prices.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { ErrorBoundary } from "../../../shared/page/error-boundary.tsx";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { firstTouch } from "../../../shared/page/first-touch.ts";
import { useClock } from "../../../shared/page/use-hydrated.ts";
import { Note } from "../../../shared/ui/index.ts";
import { chartSeries } from "../model/chart-series.ts";
import { hiddenClock, pointTime, type TimeTexts } from "../model/point-time.ts";
import { ChartPicture } from "./chart-picture.tsx";
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
  const clock = useClock();
  const isTouched = useTouched();
  const [current, setCurrent] = useState<number | null>(null);
  const series = chartSeries(history);
  const texts: TimeTexts = { range: history.range, months: t("chart.months"), clock };
  const picture = <ChartPicture series={series} texts={texts} />;
  const known = series.flatMap(({ value }, index) => (value === undefined ? [] : [index]));
  const read = (index: number) => {
    const { time = 0, price = null } = series[index] ?? {};
    return { price: format(price), time: pointTime(time, texts) };
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
          <strong>{shown.price}</strong> <span data-clock={hiddenClock(texts)}>{shown.time}</span>
        </p>
        {isTouched ? (
          <ErrorBoundary renderFallback={() => <Note tone="danger" title={t("chart.failed")} />}>
            <Suspense fallback={picture}>
              <PriceChart series={series} {...texts} locale={locale} current={current} onCurrent={setCurrent} />
            </Suspense>
          </ErrorBoundary>
        ) : (
          picture
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
          <tbody className="w-number" data-clock={hiddenClock(texts)}>
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

/**
 * Somebody has begun to use the page. The picture shows as much to who only looks, and the code that follows a pointer took a phone
 * 380 ms of processor time of its first load.
 */
function useTouched(): boolean {
  const [isTouched, setTouched] = useState(false);
  useEffect(
    () =>
      abortOnCleanup(async (signal) => {
        await firstTouch();
        if (!signal.aborted) startTransition(() => setTouched(true));
      }),
    [],
  );
  return isTouched;
}

const ROWS = 24;

/** So many of them, the last one among them. */
function sampled(indexes: readonly number[]): number[] {
  const step = Math.max(1, Math.ceil(indexes.length / ROWS));
  return indexes.filter((_, at) => (indexes.length - 1 - at) % step === 0).toReversed();
}
