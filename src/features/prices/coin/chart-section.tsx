import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { PRICE_RANGES, type PriceRange } from "#contract/price-range.ts";
import type { PriceHistoryAnswer } from "#contract/prices.ts";
import { SegmentedControl } from "../../../shared/ui/index.ts";
import { readPriceHistory } from "../api.ts";
import { Chart } from "../chart/chart.tsx";
import { ChartLoading } from "../chart/chart-loading.tsx";
import { ChartSpace } from "../chart/chart-space.tsx";
import { ChartUnreachable } from "../chart/chart-unreachable.tsx";
import { ChartMaker } from "../chart/chart-maker.tsx";
import type { PricedIn } from "../load.ts";
import { formatPrice, formatPriceIn } from "../model/format-price.ts";
import { ratioPoints } from "../model/ratio-points.ts";
import { useLive } from "../use-live.ts";

type ChartSectionProps = {
  readonly ticker: string;
  readonly first: PriceHistoryAnswer;
  /** What else than dollars it can be shown in. */
  readonly currencies: readonly PricedIn[];
};

/** The chart of a coin over a period, in a currency; what the price is now draws nothing of it anew. */
export const ChartSection = memo(function ChartSection({ ticker, first, currencies }: ChartSectionProps) {
  const { t } = useTranslation("prices");
  const { symbol } = first;
  const [range, setRange] = useState<PriceRange>(first.range);
  const [currency, setCurrency] = useState<PricedIn>("USD");
  const history = useHistory(symbol, range, range === first.range ? first : undefined);
  const isInDollars = currency === "USD";
  const otherSymbol = currency.toLowerCase();
  const other = useHistory(isInDollars ? null : otherSymbol, range);
  const [ofCoin, ofOther] = [history.value, other.value];
  const points = isInDollars ? ofCoin?.points : ofCoin && ofOther && ratioPoints(ofCoin.points, ofOther.points);
  const isFailed = [history, other].some((live) => live.isFailed);
  const isLoaded =
    points !== undefined &&
    ofCoin?.range === range &&
    (isInDollars || (ofOther?.range === range && ofOther.symbol === otherSymbol));
  return (
    <section className="w-chart" aria-label={t("chart.label", { ticker })}>
      <div className="w-chart__choices">
        <SegmentedControl
          name="range"
          label={t("chart.range")}
          value={range}
          options={PRICE_RANGES.map((value) => ({ value, label: t(`chart.ranges.${value}`) }))}
          onValue={setRange}
        />
        {currencies.length < 2 ? null : (
          <SegmentedControl
            name="currency"
            label={t("chart.currency")}
            value={currency}
            options={currencies.map((value) => ({ value, label: value }))}
            onValue={setCurrency}
          />
        )}
      </div>
      {!isLoaded && isFailed ? (
        <ChartUnreachable onRetry={() => [history, other].forEach((live) => live.retry())} />
      ) : !isLoaded ? (
        <ChartLoading />
      ) : points.length < 2 ? (
        <ChartSpace>
          <p className="w-chart__empty">{t("chart.empty")}</p>
        </ChartSpace>
      ) : (
        <Chart
          key={`${range} ${currency}`}
          label={t("chart.point", { ticker })}
          history={{ points, range }}
          format={isInDollars ? formatPrice : (price) => formatPriceIn(currency, price)}
        />
      )}
      <ChartMaker />
    </section>
  );
});

function useHistory(symbol: string | null, range: PriceRange, first?: PriceHistoryAnswer) {
  const load = () => readPriceHistory(symbol ?? "", range);
  return useLive(symbol === null ? null : ["price history", symbol, range], first, load);
}
