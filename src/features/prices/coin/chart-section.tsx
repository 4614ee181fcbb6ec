import { type KeyboardEvent, Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { PRICE_RANGES, type PriceHistoryAnswer, type PriceRange } from "#contract/prices.ts";
import { formatDateTime } from "../../../shared/format/format-time.ts";
import { browserApi } from "../../../shared/http/http.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { ErrorBoundary } from "../../../shared/page/error-boundary.tsx";
import { useHydrated, useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { LiveRegion, Note, SegmentedControl, Skeleton } from "../../../shared/ui/index.ts";
import { chartSeries } from "../model/chart-series.ts";
import { formatPrice } from "../model/format-price.ts";
import { useLive } from "../use-live.ts";

const PriceChart = lazy(async () => ({ default: (await import("./price-chart.tsx")).PriceChart }));

type ChartSectionProps = { readonly ticker: string; readonly first: PriceHistoryAnswer };

/** The chart of a coin: drawn, read point by point with the arrow keys, and as a table. */
export function ChartSection({ ticker, first }: ChartSectionProps) {
  const { t } = useTranslation("prices");
  const { symbol } = first;
  const [range, setRange] = useState<PriceRange>(first.range);
  const load = () => browserApi.call("priceHistory", { params: { symbol }, query: { range } });
  const history = useLive(["price history", symbol, range], range === first.range ? first : undefined, load);
  const options = PRICE_RANGES.map((value) => ({ value, label: t(`chart.ranges.${value}`) }));
  return (
    <section className="w-chart" aria-label={t("chart.label", { ticker })}>
      <SegmentedControl name="range" label={t("chart.range")} value={range} options={options} onValue={setRange} />
      {history === undefined || history.range !== range ? (
        <div className="w-chart__drawing">
          <LiveRegion text={t("chart.loading")} />
          <Skeleton width="100%" height={260} />
        </div>
      ) : history.points.length < 2 ? (
        <p className="w-chart__empty">{t("chart.empty")}</p>
      ) : (
        <Chart key={range} history={history} ticker={ticker} />
      )}
      <p className="w-chart__maker">
        <a href="https://www.tradingview.com/" rel="noopener noreferrer" target="_blank">
          {t("chart.maker")}
        </a>
      </p>
    </section>
  );
}

function Chart({ history, ticker }: { readonly history: PriceHistoryAnswer; readonly ticker: string }) {
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
    return { price: formatPrice(price), time: formatDateTime(time, locale, { timeZone }) };
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
        aria-label={t("chart.point", { ticker })}
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
