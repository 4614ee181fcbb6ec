import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AffiliateStatistics, WalletBalance } from "#contract/accounts/earnings.ts";
import { formatCrypto, groupDigits } from "../../../shared/format/format.ts";
import { Skeleton } from "../../../shared/ui/index.ts";
import "./affiliate.css";

type AffiliateFiguresProps = {
  readonly balance: WalletBalance | undefined;
  /** The smallest withdrawal; undefined while it isn't known. */
  readonly minimum: string | undefined;
  readonly statistics: AffiliateStatistics | undefined;
  /** What is not known is not on its way. */
  readonly hasFailed: boolean;
};

/** What the link has brought since the account began. */
export function AffiliateFigures({ balance, minimum, statistics, hasFailed }: AffiliateFiguresProps) {
  const { t } = useTranslation("earnings");
  const count = (n: number | undefined) => (n === undefined ? undefined : groupDigits(String(n)));
  return (
    <dl className="w-affiliate__figures">
      <Figure
        hasFailed={hasFailed}
        label={t("affiliate.balance")}
        caption={
          balance && minimum
            ? t("affiliate.from", { ticker: balance.currencyTitle, minimum: formatCrypto(minimum) })
            : balance?.currencyTitle
        }
      >
        {balance && formatCrypto(balance.balance)}
      </Figure>
      <Figure hasFailed={hasFailed} label={t("affiliate.earned")} caption={statistics?.currencyTitle}>
        {statistics && formatCrypto(statistics.earned)}
      </Figure>
      <Figure hasFailed={hasFailed} label={t("affiliate.orders")}>
        {count(statistics?.orders)}
      </Figure>
      <Figure hasFailed={hasFailed} label={t("affiliate.registrations")}>
        {count(statistics?.registrations)}
      </Figure>
      <Figure hasFailed={hasFailed} label={t("affiliate.clicks")}>
        {count(statistics?.clicks)}
      </Figure>
    </dl>
  );
}

type FigureProps = {
  readonly label: string;
  readonly caption?: string | undefined;
  readonly hasFailed: boolean;
  readonly children: ReactNode;
};

const Figure = ({ label, caption, hasFailed, children }: FigureProps) => (
  <div className="w-affiliate__figure">
    <dt>{label}</dt>
    <dd className="w-number">
      {children ?? (hasFailed ? "—" : <Skeleton width="60%" height={28} />)}
      {caption === undefined ? null : <span className="w-affiliate__unit"> {caption}</span>}
    </dd>
  </div>
);
