import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { divideDecimals } from "#contract/money.ts";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import { formatRate } from "../../../shared/format/format.ts";
import { CoinMark, Icon } from "../../../shared/ui/index.ts";
import type { CoinPageData, ListedCoin } from "../load.ts";

type RelatedPairsProps = {
  readonly coin: ListedCoin;
  readonly related: CoinPageData["related"];
  /** Of one coin in dollars now. */
  readonly price: string | null;
  readonly priceOf: (coin: ListedCoin) => string | null;
};

/** What else the coin is exchanged for, and what one is worth in it at the market's prices. */
export function RelatedPairs({ coin, related, price, priceOf }: RelatedPairsProps) {
  const { t } = useTranslation("prices");
  if (related.length === 0) return null;
  return (
    <section className="w-coin-page__card" aria-labelledby="coin-related">
      <h2 id="coin-related">{t("coin.popular", { ticker: coin.ticker })}</h2>
      <p className="w-coin-page__note">{t("coin.marketRate", { ticker: coin.ticker })}</p>
      <ul>
        {related.map(({ coin: other, from, to, isListed }) => (
          <li key={to}>
            <Link
              className="w-coin-page__pair"
              href={`/exchange-${formatPairSlug({ from, to })}`}
              // Search engines would read a page that tells them not to keep it.
              rel={isListed ? undefined : "nofollow"}
            >
              <span className="w-coin-page__coins">
                <CoinMark instrument={coin.mark} size={24} withNetwork={false} />
                <CoinMark instrument={other.mark} size={24} withNetwork={false} />
              </span>
              <span>{t("coin.pair", { from: coin.ticker, to: other.ticker })}</span>
              <span className="w-coin-page__rate w-number">{rateIn(priceOf(other), price)}</span>
              <Icon name="chevron-right" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Empty where either price is unknown. */
function rateIn(other: string | null, price: string | null): string {
  const rate = price === null || other === null ? null : divideDecimals(price, other);
  return rate === null || rate === "0" ? "" : formatRate(rate);
}
