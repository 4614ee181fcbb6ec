import { useTranslation } from "react-i18next";

/** The licence of the drawing asks for its maker's name on the page. */
export function ChartMaker() {
  const { t } = useTranslation("prices");
  return (
    <p className="w-chart__maker">
      <a href="https://www.tradingview.com/" rel="noopener noreferrer" target="_blank">
        {t("chart.maker")}
      </a>
    </p>
  );
}
