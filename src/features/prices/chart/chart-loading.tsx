import { useTranslation } from "react-i18next";
import { LiveRegion } from "../../../shared/ui/index.ts";
import { ChartSpace } from "./chart-space.tsx";

/** A flat grid where the chart will be. */
export function ChartLoading() {
  const { t } = useTranslation("prices");
  return (
    <ChartSpace>
      <LiveRegion text={t("chart.loading")} />
      <div className="w-chart__grid" />
    </ChartSpace>
  );
}
