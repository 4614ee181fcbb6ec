import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useExternalLinks } from "../../../shared/page/page-context.ts";
import { Button, Icon, type IconName } from "../../../shared/ui/index.ts";
import { formatMedian } from "../model/median.ts";

/** The claims of the home page, with how long an order takes where that is known. */
export function Hero({ medianSeconds }: { readonly medianSeconds: number | null }) {
  const { t } = useTranslation("home");
  const { t: common } = useTranslation("common");
  const { miniAppUrl } = useExternalLinks();
  return (
    <div className="w-hero">
      <h1 className="w-hero__title">{t("hero.title")}</h1>
      <p className="w-hero__lead">{t("hero.lead")}</p>
      <ul className="w-hero__points">
        {medianSeconds === null ? null : (
          <Point icon="clock">{t("hero.median", { duration: formatMedian(common, medianSeconds) })}</Point>
        )}
        <Point icon="wallet">{t("hero.noAccount")}</Point>
        <Point icon="receipt">{t("hero.fees")}</Point>
        <Point icon="code">
          <OpenSource />
        </Point>
      </ul>
      {miniAppUrl === null ? null : (
        <Button
          className="w-hero__telegram"
          variant="outline"
          size="l"
          href={miniAppUrl}
          icon={<Icon name="telegram" />}
        >
          {t("hero.telegram")}
        </Button>
      )}
    </div>
  );
}

/** Leads to the source where the operator says where it is. */
function OpenSource() {
  const { t } = useTranslation("home");
  const { sourceUrl } = useExternalLinks();
  if (sourceUrl === null) return t("hero.openSource");
  const [before, after] = t("hero.readSource", { link: "\n" }).split("\n");
  return (
    <>
      {before}
      <a href={sourceUrl} rel="noopener">
        {t("hero.readCode")}
      </a>
      {after}
    </>
  );
}

const Point = ({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) => (
  <li className="w-hero__point">
    <span className="w-hero__tile">
      <Icon name={icon} size={18} />
    </span>
    <span>{children}</span>
  </li>
);
