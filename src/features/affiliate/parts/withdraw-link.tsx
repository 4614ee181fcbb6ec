import { useTranslation } from "react-i18next";
import type { WalletBalance } from "#contract/accounts/earnings.ts";
import { AccountIcon, Button } from "../../../shared/ui/index.ts";
import { mayWithdraw } from "../model/balances.ts";
import { sumText } from "./sum.ts";

type WithdrawLinkProps = {
  readonly balance: WalletBalance | undefined;
  readonly minimum: string | undefined;
  /** The label says how much there is. */
  readonly hasSum?: boolean;
};

/** Leads to the withdrawal: the page's main button once there is enough for one. */
export function WithdrawLink({ balance, minimum, hasSum = false }: WithdrawLinkProps) {
  const { t } = useTranslation("earnings");
  const isEnough = mayWithdraw(balance, minimum);
  return (
    <Button
      href="/profile/withdraw"
      size="l"
      variant={isEnough ? "filled" : "outline"}
      icon={<AccountIcon name="up" />}
    >
      {hasSum && isEnough && balance !== undefined
        ? t("withdraw.do", { sum: sumText(balance.balance, balance.currencyTitle) })
        : t("withdraw.open")}
    </Button>
  );
}
