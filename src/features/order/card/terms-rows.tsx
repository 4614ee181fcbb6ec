import { useTranslation } from "react-i18next";
import { formatFiat } from "../../../shared/format/format.ts";
import { coinText, rateText } from "../model/amount-text.ts";
import { cardFees } from "../model/card-fees.ts";
import { deliveredRate } from "../model/receipt.ts";
import { Row } from "../page/details.tsx";
import type { CardOrderProps } from "./pay-card.tsx";

/** What goes, every fee apart, and what comes: a column that adds up, as it was quoted. */
export function TermsRows({ order }: CardOrderProps) {
  const { t } = useTranslation("order");
  const { instrumentFrom, instrumentTo } = order.pair;
  const { provider, direction } = order.card;
  const isBuy = direction === "buy";
  const terms = cardFees(order);
  const rate = deliveredRate(order.claimedDepositAmount, order.amountToGet) ?? order.claimedPublicRate.price;
  const worth = terms === null ? null : <Row label={t("card.worth")}>{coinText(terms.marketValue, terms.fiat)}</Row>;
  return (
    <>
      <Row label={t(isBuy ? "card.pay" : "summary.send")}>{coinText(order.claimedDepositAmount, instrumentFrom)}</Row>
      {isBuy ? null : worth}
      {terms?.fees.map(({ kind, amount }) => (
        <Row key={kind} label={t(`card.fee.${kind}`, { provider })}>
          {`${formatFiat(`-${amount}`)}\u00a0${terms.fiat.currencyTitle}`}
        </Row>
      ))}
      {isBuy ? worth : null}
      <Row label={t("summary.getAbout")}>{coinText(order.amountToGet, instrumentTo)}</Row>
      <Row label={t("summary.rate")}>{rateText(rate, instrumentFrom, instrumentTo)}</Row>
    </>
  );
}
