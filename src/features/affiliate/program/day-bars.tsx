import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AffiliateStatistics } from "#contract/accounts/earnings.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { formatDay } from "../../../shared/format/format-day.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { dayChart } from "../model/day-chart.ts";
import { sumText } from "../parts/sum.ts";

type Day = AffiliateStatistics["days"][number];
type DayBarsProps = { readonly days: readonly Day[]; readonly ticker: string };

/** A bar for each day. The chosen one, the newest at first, is in words above: the arrow keys, a finger and the mouse choose another. */
export function DayBars({ days, ticker }: DayBarsProps) {
  const { t } = useTranslation("earnings");
  const locale = useLocale();
  const { bars, marks } = dayChart(days);
  const last = days.length - 1;
  const [chosen, setChosen] = useState(last);
  const day = days[chosen];
  if (day === undefined) return <p className="w-earnings__empty">{t("chart.empty")}</p>;
  const text = t("chart.day", {
    date: formatDay(day.date, locale),
    sum: sumText(day.earned, ticker),
    orders: t("chart.orders", { count: day.orders }),
    clicks: t("chart.clicks", { count: day.clicks }),
  });
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * days.length);
    setChosen(Math.min(last, Math.max(0, at)));
  };
  const press = (event: KeyboardEvent) => {
    const to = STEPS[event.key]?.(chosen, last);
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, to)));
  };
  return (
    <div className="w-day-bars">
      <p className="w-earnings__detail w-number" aria-hidden="true">
        {marks.length === 0 ? t("chart.empty") : text}
      </p>
      <div
        className="w-day-bars__plot"
        role="slider"
        tabIndex={0}
        aria-label={t("chart.choose")}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={chosen + 1}
        aria-valuetext={text}
        onKeyDown={press}
        onPointerDown={point}
        onPointerMove={point}
      >
        {[0, 1, 2].map((line) => (
          <span key={line} className="w-day-bars__line" style={{ insetBlockStart: `${line * 50}%` }} />
        ))}
        <span className="w-day-bars__bars">
          {bars.map(({ day, height }, n) => (
            <span
              key={day.date}
              className="w-day-bars__bar"
              data-chosen={n === chosen || undefined}
              style={{ blockSize: `${height}%` }}
            />
          ))}
        </span>
      </div>
      <div className="w-day-bars__marks w-number" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{formatCrypto(mark)}</span>
        ))}
      </div>
      <div className="w-day-bars__dates w-number" aria-hidden="true">
        {[days[0], days[Math.floor(last / 2)], days[last]].map((named, n) => (
          <span key={n}>{named === undefined ? "" : formatDay(named.date, locale)}</span>
        ))}
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 7,
  PageDown: (at) => at - 7,
  Home: () => 0,
  End: (_, last) => last,
};
