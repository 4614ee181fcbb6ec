import type { PairData } from "#contract/rate.ts";
import { alignDecimals, formatRate } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { feeRows } from "../model/fee-rows.ts";

/** Market value − our fee − network fee: a column that adds up to what arrives. */
export function RateRows({ rate }: { readonly rate: PairData }) {
  const { t } = useTranslation("exchange");
  const rows = feeRows(rate);
  const [market = "", platformFee = "", networkFee = ""] = alignDecimals([
    rows.marketValue,
    `-${rows.platformFee}`,
    `-${rows.networkFee}`,
    rows.amountToGet,
  ]);
  const ticker = rate.instrumentTo.currencyTitle;
  return (
    <dl className="w-rate-rows w-number">
      <Row label={t("rate.market", { rate: formatRate(rows.marketRate) })} value={`${market}\u00a0${ticker}`} />
      <Row
        label={t("rate.platformFee", { percent: rows.platformFeePercent })}
        value={`${platformFee}\u00a0${ticker}`}
      />
      <Row label={t("rate.networkFee")} value={`${networkFee}\u00a0${ticker}`} />
      <Row label={t("rate.arrives")} value={t("rate.confirmations", { count: rate.instrumentFrom.confirmations })} />
    </dl>
  );
}

const Row = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div className="w-rate-rows__row">
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);
