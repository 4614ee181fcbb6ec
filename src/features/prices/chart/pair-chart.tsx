import { useRef } from "react";
import { useTranslation } from "react-i18next";
import useSWR from "swr";
import type { Instrument } from "#contract/instrument.ts";
import type { PriceHistoryAnswer } from "#contract/prices.ts";
import { isOnline } from "../../../shared/browser/connectivity.ts";
import { formatRate } from "../../../shared/format/format.ts";
import { useInView } from "../../../shared/page/use-in-view.ts";
import { readPriceHistory } from "../api.ts";
import { Chart } from "./chart.tsx";
import { ChartLoading } from "./chart-loading.tsx";
import { ChartSpace } from "./chart-space.tsx";
import { ChartUnreachable } from "./chart-unreachable.tsx";
import { ChartMaker } from "./chart-maker.tsx";
import { MadeUp } from "../made-up.tsx";
import { ratioPoints } from "../model/ratio-points.ts";

type Coin = Pick<Instrument, "currencyTitle">;
type PairChartProps = { readonly from: Coin; readonly to: Coin };

const RANGE = "1m";

/** What one coin of a pair was worth in the other over 30 days; it is loaded once it is about to be seen. */
export function PairChart({ from, to }: PairChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isInView = useInView(frame);
  return (
    <div className="w-chart" ref={frame}>
      <MadeUp />
      {isInView ? <Loaded from={from} to={to} /> : <ChartSpace />}
      <ChartMaker />
    </div>
  );
}

const historyOf = ({ currencyTitle }: Coin): Promise<PriceHistoryAnswer> =>
  readPriceHistory(currencyTitle.toLowerCase(), RANGE);

function Loaded({ from, to }: PairChartProps) {
  const { t } = useTranslation("prices");
  const tickers = { from: from.currencyTitle, to: to.currencyTitle };
  const load = async () => {
    const [ofFrom, ofTo] = await Promise.all([historyOf(from), historyOf(to)]);
    return ratioPoints(ofFrom.points, ofTo.points);
  };
  const { data, error, mutate } = useSWR<PriceHistoryAnswer["points"], Error>(
    ["pair chart", tickers.from, tickers.to],
    load,
    { isOnline, revalidateOnFocus: false },
  );
  if (data !== undefined && data.length >= 2)
    return (
      <Chart
        label={t("pairChart.point", tickers)}
        history={{ points: data, range: RANGE }}
        format={(price) => (price === null ? "—" : `${formatRate(price)} ${tickers.to}`)}
      />
    );
  if (data !== undefined)
    return (
      <ChartSpace>
        <p className="w-chart__empty">{t("chart.empty")}</p>
      </ChartSpace>
    );
  if (error === undefined) return <ChartLoading />;
  return <ChartUnreachable onRetry={() => void mutate()} />;
}
