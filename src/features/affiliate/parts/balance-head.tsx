import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { WalletBalance } from "#contract/accounts/earnings.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Skeleton } from "../../../shared/ui/index.ts";
import { sumText } from "./sum.ts";
import "./earnings.css";

type BalanceHeadProps = {
  /** Undefined while it is loading, and where it could not be loaded. */
  readonly balance: WalletBalance | undefined;
  readonly hasFailed: boolean;
  /** The smallest withdrawal; undefined while it isn't known. */
  readonly minimum: string | undefined;
  /** What can be done with it. */
  readonly children?: ReactNode;
};

/** What can be withdrawn now, what is on its way out, and from which sum on. */
export function BalanceHead({ balance, hasFailed, minimum, children }: BalanceHeadProps) {
  const { t } = useTranslation("earnings");
  return (
    <div className="w-earnings__head" aria-busy={balance === undefined && !hasFailed}>
      <p className="w-earnings__label">{t("wallet.balance")}</p>
      {balance === undefined ? (
        hasFailed ? (
          <p className="w-earnings__sum">{t("wallet.unknown")}</p>
        ) : (
          <Skeleton width="12rem" height={40} />
        )
      ) : (
        <p className="w-earnings__sum w-number">
          {formatCrypto(balance.balance)} <span className="w-earnings__ticker">{balance.currencyTitle}</span>
        </p>
      )}
      {balance === undefined || /^[0.]*$/.test(balance.held) ? null : (
        <p className="w-earnings__text w-number">
          {t("wallet.held", { sum: sumText(balance.held, balance.currencyTitle) })}
        </p>
      )}
      <p className="w-earnings__text w-number">
        {balance === undefined || minimum === undefined
          ? t("wallet.about")
          : t("wallet.aboutFrom", { sum: sumText(minimum, balance.currencyTitle) })}
      </p>
      {children === undefined ? null : <div className="w-earnings__ways">{children}</div>}
    </div>
  );
}
