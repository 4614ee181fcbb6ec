import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CardTerms } from "#contract/card.ts";
import type { PairData } from "#contract/rate.ts";
import { formatFiat } from "../../../shared/format/format.ts";
import { formatAbout } from "../../../shared/format/format-time.ts";
import { cardRows } from "../model/card-rows.ts";

type CardRowsProps = { readonly rate: PairData; readonly terms: CardTerms };

/** What a coin costs, or brings, by card: money is counted in money. */
export function CardRateLine({ rate, terms }: CardRowsProps) {
  const { t } = useTranslation("exchange");
  const { coin, fiat } = tickersOf(rate, terms);
  return t("rate.about", { from: coin, to: fiat, rate: formatFiat(cardRows(rate, terms).price) });
}

/** Every fee apart, in a column that adds up. */
export function CardRows({ rate, terms }: CardRowsProps) {
  const { t } = useTranslation("exchange");
  const { t: common } = useTranslation("common");
  const rows = cardRows(rate, terms);
  const { coin, fiat } = tickersOf(rate, terms);
  const money = (amount: string) => `${formatFiat(amount)}\u00a0${fiat}`;
  return (
    <dl className="w-rate-rows w-number">
      {rows.first === null ? null : <Row label={t("card.coinsWorth")}>{money(rows.first)}</Row>}
      {rows.fees.map(({ kind, amount }) => (
        <Row
          key={kind}
          label={
            kind === "network" ? t("rate.networkFee") : t(kind === "platform" ? "card.platform" : "card.processing")
          }
        >
          {money(`-${amount}`)}
        </Row>
      ))}
      {rows.last === null ? null : <Row label={t("card.coinsWorth")}>{money(rows.last)}</Row>}
      <Row label={t("card.marketRate")}>
        {t("rate.exactly", { from: coin, to: fiat, rate: formatFiat(rows.marketPrice) })}
      </Row>
      {rate.estimatedSeconds === null ? (
        <Row label={t("card.arrivalTime")}>{t("card.arrives", { provider: terms.provider })}</Row>
      ) : (
        <Row label={t("rate.arrivesIn")}>{formatAbout(common, rate.estimatedSeconds)}</Row>
      )}
    </dl>
  );
}

const Row = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="w-rate-rows__row">
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const tickersOf = ({ instrumentFrom, instrumentTo }: PairData, { direction }: CardTerms) => {
  const [coin, fiat] = direction === "buy" ? [instrumentTo, instrumentFrom] : [instrumentFrom, instrumentTo];
  return { coin: coin.currencyTitle, fiat: fiat.currencyTitle };
};
