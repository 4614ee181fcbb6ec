import { useTranslation } from "react-i18next";
import type { AffiliateStatistics } from "#contract/accounts/earnings.ts";
import { SegmentedControl, Skeleton } from "../../../shared/ui/index.ts";
import type { StatisticsDays } from "../api.ts";
import { DayBars } from "./day-bars.tsx";
import "./affiliate.css";

const SPANS = ["7", "30", "90"] as const satisfies readonly StatisticsDays[];

type EarningsChartProps = {
  /** Of what is earned; undefined while it isn't known. */
  readonly ticker: string | undefined;
  /** Undefined while it is loading. */
  readonly statistics: AffiliateStatistics | undefined;
  readonly hasFailed: boolean;
  readonly days: StatisticsDays;
  readonly onDays: (days: StatisticsDays) => void;
};

/** What each day of a span has earned. */
export function EarningsChart({ ticker, statistics, hasFailed, days, onDays }: EarningsChartProps) {
  const { t } = useTranslation("earnings");
  if (statistics === undefined && hasFailed) return null;
  return (
    <section className="w-earnings__card w-earnings__card--padded" aria-labelledby="earnings-chart">
      <div className="w-affiliate__chart-head">
        <h2 id="earnings-chart" className="w-affiliate__title">
          {ticker === undefined ? t("chart.byDay") : t("chart.title", { ticker })}
        </h2>
        <SegmentedControl
          name="chart-days"
          label={t("chart.span")}
          value={days}
          options={SPANS.map((value) => ({ value, label: t("chart.days", { n: value }) }))}
          onValue={onDays}
        />
      </div>
      {statistics === undefined ? (
        <Skeleton width="100%" height={160} />
      ) : (
        <>
          <DayBars key={days} days={statistics.days} ticker={statistics.currencyTitle} />
          <p className="w-earnings__detail">{t("chart.utc")}</p>
        </>
      )}
    </section>
  );
}
