import { useTranslation } from "react-i18next";
import { AccountIcon, Button, Icon, Skeleton } from "../../../shared/ui/index.ts";
import type { ProfilePageProps } from "../../../shared/account/profile-page-props.ts";
import { useCashbacks, useReferrer, useWalletBalances } from "../api.ts";
import { mainBalance } from "../model/balances.ts";
import { percent } from "../model/movements.ts";
import { CreditList } from "../parts/movement-lists.tsx";
import { SeenNote } from "../../../shared/account/seen-note.tsx";

/** `/profile/cashback`: what the account's own orders bring back. */
export function CashbackPage({ account: { userId } }: ProfilePageProps) {
  const { t } = useTranslation("earnings");
  const referrer = useReferrer(userId);
  const ticker = mainBalance(useWalletBalances(userId).data)?.currencyTitle;
  return (
    <>
      <SeenNote of={[referrer]} />
      <div className="w-earnings__head">
        {referrer.data === undefined ? (
          referrer.hasFailed ? null : (
            <Skeleton width="min(24rem, 100%)" height={40} />
          )
        ) : (
          <p className="w-earnings__share w-number">
            {t("cashback.share", { percent: percent(referrer.data.cashbackBps) })}
          </p>
        )}
        <p className="w-earnings__text">
          {t("cashback.about")} {ticker === undefined ? null : t("cashback.paidIn", { ticker })}
        </p>
        <div className="w-earnings__ways">
          <Button href="/" icon={<Icon name="exchange" />}>
            {t("wallet.exchange")}
          </Button>
          <Button variant="outline" size="l" href="/profile/withdraw" icon={<AccountIcon name="up" />}>
            {t("withdraw.open")}
          </Button>
        </div>
      </div>
      <CreditList userId={userId} title={t("cashback.list")} emptyText={t("cashback.empty")} usePage={useCashbacks} />
    </>
  );
}
