import { Link } from "wouter";
import { formatCrypto, formatRate } from "../../../lib/format.ts";
import { useT } from "../../../lib/i18n/index.ts";
import { Button, CoinMark, VisuallyHidden } from "../../../ui/index.ts";
import { ASKED_USD, type RateNow } from "../model/rates-now.ts";

/** What one of each coin pays now, from real rates. */
export function RatesNow({ rates }: { readonly rates: readonly RateNow[] }) {
  const t = useT("home");
  const [first] = rates;
  if (first === undefined) return null;
  return (
    <section className="w-home__part" aria-labelledby="rates-title">
      <h2 id="rates-title">{t("rates.title")}</h2>
      <p className="w-home__lead">{t("rates.lead", { ticker: first.ticker, usd: ASKED_USD.toString() })}</p>
      <table className="w-rates w-number">
        <thead>
          <tr>
            <th scope="col">{t("rates.coin")}</th>
            <th scope="col">{t("rates.youGet", { ticker: first.ticker })}</th>
            <th scope="col" className="w-rates__limits">
              {t("rates.limits")}
            </th>
            <th scope="col" className="w-rates__action">
              <VisuallyHidden>{t("rates.exchange")}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {rates.map((rate) => (
            <Row key={rate.pair} rate={rate} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ rate: { instrument, ticker, price, min, max, pair } }: { readonly rate: RateNow }) {
  const t = useT("home");
  return (
    <tr>
      <th scope="row">
        <span className="w-rates__coin">
          <CoinMark instrument={instrument} size={32} />
          <span>
            <Link className="w-rates__name" href={`/exchange-${pair}`}>
              {instrument.currencyFriendlyTitle}
            </Link>
            <span className="w-rates__ticker">{instrument.currencyTitle}</span>
          </span>
        </span>
      </th>
      <td>{formatRate(price)}</td>
      <td className="w-rates__limits">
        {max === null
          ? t("rates.from", { min: formatCrypto(min) })
          : t("rates.fromTo", { min: formatCrypto(min), max: formatCrypto(max) })}
      </td>
      <td className="w-rates__action">
        <Button variant="soft" href={`/exchange-${pair}`}>
          {t("rates.exchange")}{" "}
          <VisuallyHidden>{t("rates.pair", { from: instrument.currencyTitle, to: ticker })}</VisuallyHidden>
        </Button>
      </td>
    </tr>
  );
}
