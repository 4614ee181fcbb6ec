import { useTranslation } from "react-i18next";
import { alignDecimals } from "../../../shared/format/format.ts";
import { received, type WithdrawalBounds } from "../model/withdrawal.ts";
import { sumText } from "../parts/sum.ts";

type WithdrawalSumsProps = {
  /** A wire decimal; empty while nothing is typed. */
  readonly amount: string;
  readonly bounds: WithdrawalBounds;
  readonly ticker: string;
};

/** What leaves the wallet, what the network takes of it, and what arrives: a column that adds up. */
export function WithdrawalSums({ amount, bounds, ticker }: WithdrawalSumsProps) {
  const { t } = useTranslation("earnings");
  const { networkFee } = bounds;
  const arriving = amount === "" ? null : received(amount, bounds);
  if (networkFee === null) return <p className="w-earnings__text">{t("withdraw.feeUnknown")}</p>;
  if (arriving === null)
    return <p className="w-earnings__text w-number">{t("withdraw.feeIs", { sum: sumText(networkFee, ticker) })}</p>;
  const [sent = "", fee = "", rest = ""] = alignDecimals([amount, `-${networkFee}`, arriving]);
  return (
    <dl className="w-withdraw__sums w-number">
      <Sum label={t("withdraw.amount")} value={`${sent}\u00A0${ticker}`} />
      <Sum label={t("withdraw.fee")} value={`${fee}\u00A0${ticker}`} />
      <Sum label={t("withdraw.arrives")} value={`${rest}\u00A0${ticker}`} isTotal />
    </dl>
  );
}

type SumProps = { readonly label: string; readonly value: string; readonly isTotal?: boolean };

const Sum = ({ label, value, isTotal = false }: SumProps) => (
  <div className="w-withdraw__sum" data-total={isTotal || undefined}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);
