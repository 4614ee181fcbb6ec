import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../shared/ui/index.ts";
import type { ProfilePageProps } from "../../../shared/account/profile-page-props.ts";
import {
  isSameInstrument,
  type StatisticsDays,
  useAccruals,
  useAffiliateBalances,
  useReferrer,
  useStatistics,
  useWithdrawalTerms,
} from "../api.ts";
import { mainBalance } from "../model/balances.ts";
import { percent } from "../model/movements.ts";
import { CreditList } from "../parts/movement-lists.tsx";
import { SeenNote } from "../../../shared/account/seen-note.tsx";
import { WithdrawLink } from "../parts/withdraw-link.tsx";
import { EarningsChart } from "./earnings-chart.tsx";
import { AffiliateFigures } from "./figures.tsx";
import { ReferralLink } from "./referral-link.tsx";

/** `/profile/affiliate-program`: the account's link, and what it has brought. */
export function AffiliatePage({ account: { userId } }: ProfilePageProps) {
  const { t } = useTranslation("earnings");
  const [days, setDays] = useState<StatisticsDays>("30");
  const referrer = useReferrer(userId);
  const balances = useAffiliateBalances(userId);
  const statistics = useStatistics(userId, days);
  const terms = useWithdrawalTerms(userId);
  const balance = mainBalance(balances.data);
  const minimum = terms.data?.find((one) => balance !== undefined && isSameInstrument(one, balance))?.minimum;
  return (
    <>
      <SeenNote of={[referrer, balances, statistics]} />
      <div className="w-earnings__head w-affiliate__head">
        {referrer.data === undefined ? (
          referrer.hasFailed ? null : (
            <Skeleton width="min(24rem, 100%)" height={20} />
          )
        ) : (
          <p className="w-earnings__text w-number">
            {t("affiliate.share", { percent: percent(referrer.data.shareBps) })}
          </p>
        )}
        <WithdrawLink balance={balance} minimum={minimum} hasSum />
      </div>
      <AffiliateFigures
        balance={balance}
        minimum={minimum}
        statistics={statistics.data}
        hasFailed={balances.hasFailed || statistics.hasFailed}
      />
      {referrer.data === undefined ? null : <ReferralLink referrer={referrer.data} />}
      <EarningsChart
        ticker={(statistics.data ?? balance)?.currencyTitle}
        statistics={statistics.data}
        days={days}
        onDays={setDays}
        hasFailed={statistics.hasFailed}
      />
      <CreditList userId={userId} title={t("affiliate.list")} emptyText={t("affiliate.empty")} usePage={useAccruals} />
    </>
  );
}
