import type { ReactNode } from "react";
import { formatDuration } from "../../../lib/format-time.ts";
import { useT } from "../../../lib/i18n/index.ts";
import { Icon, type IconName } from "../../../ui/index.ts";

/** What the house stands for, and how long an order takes where that is known. */
export function Hero({ medianSeconds }: { readonly medianSeconds: number | null }) {
  const t = useT("home");
  const common = useT("common");
  return (
    <div className="w-hero">
      <h1 className="w-hero__title">{t("hero.title")}</h1>
      <p className="w-hero__lead">{t("hero.lead")}</p>
      <ul className="w-hero__points">
        {medianSeconds === null ? null : (
          <Point icon="clock">{t("hero.median", { duration: formatDuration(common, medianSeconds) })}</Point>
        )}
        <Point icon="wallet">{t("hero.noAccount")}</Point>
        <Point icon="receipt">{t("hero.fees")}</Point>
        <Point icon="check">{t("hero.openSource")}</Point>
      </ul>
    </div>
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
