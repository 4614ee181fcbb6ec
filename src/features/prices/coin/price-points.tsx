import { useTranslation } from "react-i18next";
import { alignDecimals, formatUsd, groupDigits } from "../../../shared/format/format.ts";
import { coinPoints, dollarPoints } from "../model/price-points.ts";

/** What round amounts of a coin are worth in dollars, and the other way. */
export function PricePoints({ ticker, priceUsd }: { readonly ticker: string; readonly priceUsd: string }) {
  const { t } = useTranslation("prices");
  const rows = coinPoints(priceUsd).map(
    ({ amount, worth }) => [`${groupDigits(amount)}\u00a0${ticker}`, formatUsd(worth)] as const,
  );
  const dollars = dollarPoints(priceUsd);
  const coins = alignDecimals(dollars.map(({ worth }) => worth));
  const reverse = dollars.map(({ amount }, index) => [formatUsd(amount), `${coins[index]}\u00a0${ticker}`] as const);
  return (
    <div className="w-coin-page__points">
      <Points id="points-coin" title={t("points.toUsd", { ticker })} rows={rows} />
      <Points id="points-usd" title={t("points.fromUsd", { ticker })} rows={reverse} />
    </div>
  );
}

type PointsProps = {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly (readonly [amount: string, worth: string])[];
};

const Points = ({ id, title, rows }: PointsProps) => (
  <section className="w-coin-page__card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <table className="w-coin-page__table w-number" aria-labelledby={id}>
      <tbody>
        {rows.map(([amount, worth]) => (
          <tr key={amount}>
            <th scope="row">{amount}</th>
            <td>{worth}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
