import { useTranslation } from "react-i18next";
import type { WalletBalance } from "#contract/accounts/earnings.ts";
import type { Instrument } from "#contract/instrument.ts";
import { multiplyDecimals } from "#contract/money.ts";
import { formatCrypto, formatUsd } from "../../../shared/format/format.ts";
import { CoinMark } from "../../../shared/ui/index.ts";
import { isSameInstrument, useInstruments } from "../api.ts";
import { GreyRows } from "./paged-list.tsx";
import "./earnings.css";

type BalanceListProps = { readonly userId: number; readonly balances: readonly WalletBalance[] | undefined };

/** Each coin of the wallet with its worth in dollars; nothing while there is none. */
export function BalanceList({ userId, balances }: BalanceListProps) {
  const { t } = useTranslation("earnings");
  const { data: instruments } = useInstruments(userId);
  if (balances?.length === 0) return null;
  return (
    <section aria-labelledby="wallet-balances">
      <h2 id="wallet-balances" className="w-earnings__title">
        {t("wallet.balances")}
      </h2>
      <div className="w-earnings__card" aria-busy={balances === undefined}>
        {balances === undefined ? (
          <GreyRows />
        ) : (
          <ul>
            {balances.map((balance) => (
              <BalanceRow
                key={`${balance.currencyTitle} ${balance.networkTitle}`}
                balance={balance}
                instrument={instruments?.find((instrument) => isSameInstrument(instrument, balance))}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

type BalanceRowProps = { readonly balance: WalletBalance; readonly instrument: Instrument | undefined };

function BalanceRow({ balance, instrument }: BalanceRowProps) {
  const { t } = useTranslation("earnings");
  const { currencyTitle, networkTitle } = balance;
  const network = instrument?.networkStandard ?? instrument?.networkFriendlyTitle ?? networkTitle;
  const price = instrument?.price ?? null;
  return (
    <li className="w-earnings__row">
      <CoinMark instrument={{ currencyTitle, networkTitle, instrumentType: "other" }} size={32} />
      <span className="w-earnings__cell">
        <span className="w-earnings__name">{instrument?.currencyFriendlyTitle ?? currencyTitle}</span>
        <span className="w-earnings__detail">{t("wallet.onNetwork", { ticker: currencyTitle, network })}</span>
      </span>
      <span className="w-earnings__cell w-earnings__cell--end w-number">
        <span className="w-earnings__name">{formatCrypto(balance.balance)}</span>
        {price === null ? null : (
          <span className="w-earnings__detail">{formatUsd(multiplyDecimals(balance.balance, price))}</span>
        )}
      </span>
    </li>
  );
}
