import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Icon, SegmentedControl } from "../../../shared/ui/index.ts";
import type { ProfilePageProps } from "../../../shared/account/profile-page-props.ts";
import { isSameInstrument, useDeposits, useWalletBalances, useWithdrawalTerms } from "../api.ts";
import { mainBalance, mayWithdraw } from "../model/balances.ts";
import { BalanceHead } from "../parts/balance-head.tsx";
import { BalanceList } from "../parts/balance-list.tsx";
import { CreditList, LatestList, WithdrawalList } from "../parts/movement-lists.tsx";
import { WithdrawLink } from "../parts/withdraw-link.tsx";
import { SeenNote } from "../../../shared/account/seen-note.tsx";

const SHARES = ["latest", "deposits", "withdrawals"] as const;
type Share = (typeof SHARES)[number];

/** `/profile/wallet`: what we owe the account, and how it came about. */
export function WalletPage({ account: { userId } }: ProfilePageProps) {
  const { t } = useTranslation("earnings");
  const [share, setShare] = useState<Share>("latest");
  const balances = useWalletBalances(userId);
  const terms = useWithdrawalTerms(userId);
  const balance = mainBalance(balances.data);
  const minimum = terms.data?.find((one) => balance !== undefined && isSameInstrument(one, balance))?.minimum;
  return (
    <>
      <SeenNote of={[balances, terms]} />
      <BalanceHead balance={balance} hasFailed={balances.hasFailed} minimum={minimum}>
        <WithdrawLink balance={balance} minimum={minimum} />
        <Button
          variant={minimum === undefined || mayWithdraw(balance, minimum) ? "outline" : "filled"}
          size="l"
          href="/"
          icon={<Icon name="exchange" />}
        >
          {t("wallet.exchange")}
        </Button>
      </BalanceHead>
      {balances.hasFailed ? null : <BalanceList userId={userId} balances={balances.data} />}
      <SegmentedControl
        name="movements"
        label={t("wallet.movements")}
        value={share}
        options={SHARES.map((value) => ({ value, label: t(`wallet.${value}`) }))}
        onValue={setShare}
      />
      <Movements share={share} userId={userId} />
    </>
  );
}

function Movements({ share, userId }: { readonly share: Share; readonly userId: number }) {
  const { t } = useTranslation("earnings");
  if (share === "latest") return <LatestList userId={userId} />;
  if (share === "withdrawals") return <WithdrawalList userId={userId} />;
  return (
    <CreditList userId={userId} title={t("wallet.deposits")} emptyText={t("wallet.empty")} usePage={useDeposits} />
  );
}
