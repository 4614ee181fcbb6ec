import { useTranslation } from "react-i18next";
import { LiveRegion, Skeleton } from "../../../shared/ui/index.ts";

export function ChartLoading() {
  const { t } = useTranslation("prices");
  return (
    <div className="w-chart__drawing">
      <LiveRegion text={t("chart.loading")} />
      <Skeleton width="100%" height="100%" />
    </div>
  );
}
