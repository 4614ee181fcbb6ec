import type { Stats } from "#contract/health.ts";
import { groupDigits } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { formatMedian } from "../model/median.ts";

/** Figures about the service; one without data behind it is not shown. */
export function StatsRow({ stats }: { readonly stats: Stats }) {
  const { t } = useTranslation("home");
  const { t: common } = useTranslation("common");
  const { orders24h, medianSeconds, completedShare, coins, networks } = stats;
  const shown = [
    orders24h === null ? null : { value: groupDigits(String(orders24h)), label: t("stats.orders24h") },
    medianSeconds === null ? null : { value: formatMedian(common, medianSeconds), label: t("stats.median") },
    completedShare === null ? null : { value: percent(completedShare), label: t("stats.completed") },
    coins === null || networks === null
      ? null
      : { value: t("stats.coins", { count: coins }), label: t("stats.networks", { count: networks }) },
  ].filter((figure) => figure !== null);
  // One figure alone says nothing about the service.
  if (shown.length < 2) return null;
  return (
    <dl className="w-stats">
      {shown.map(({ value, label }) => (
        <div key={label} className="w-stats__figure">
          <dt>{label}</dt>
          <dd className="w-number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const percent = (share: number): string => `${Math.floor(share * 1_000) / 10}%`;
