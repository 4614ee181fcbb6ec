import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { formatPairSlug } from "#contract/pair-slug.ts";
import { browserApi } from "../../../shared/http/http.ts";
import { usePageData } from "../../../shared/page/page-context.ts";
import { Button, CoinMark, Icon } from "../../../shared/ui/index.ts";
import { ShareLinks } from "../../../telegram/share-links.tsx";
import { Change } from "../change.tsx";
import { type CoinPageData, type ListedCoin, loadPriceList } from "../load.ts";
import { MadeUp } from "../made-up.tsx";
import { formatPrice } from "../model/format-price.ts";
import { useLive } from "../use-live.ts";
import { ChartSection } from "./chart-section.tsx";
import { CoinNetworks } from "./coin-networks.tsx";
import { PricePoints } from "./price-points.tsx";
import "./coin-page.css";

/** `/price/{symbol}`: what a coin costs, has cost, and is on our networks. */
export function CoinPage() {
  const { coin: first, networks, history, related } = usePageData<CoinPageData>();
  const { t } = useTranslation("prices");
  const list = useLive("prices", undefined, () => loadPriceList(browserApi));
  const coin = list?.coins.find(({ symbol }) => symbol === first.symbol) ?? first;
  return (
    <div className="w-page w-coin-page">
      <nav className="w-coin-page__crumbs" aria-label={t("coin.crumbs")}>
        <Link href="/price">{t("list.title")}</Link>
        <Icon name="chevron-right" size={16} />
        <span aria-current="page">{coin.name}</span>
      </nav>
      <header className="w-coin-page__head">
        <CoinMark instrument={coin.mark} size={56} withNetwork={false} />
        <div>
          <h1>
            {t("coin.title", { name: coin.name })} <span className="w-coin-page__ticker">{coin.ticker}</span>
          </h1>
          <p className="w-coin-page__price">
            <strong className="w-number">{formatPrice(coin.priceUsd)}</strong>
            <Change percent={coin.change24h} /> {t("coin.inDay")}
          </p>
        </div>
      </header>
      <p className="w-coin-page__lead">
        {t("coin.lead", { name: coin.name, ticker: coin.ticker, count: networks.length })}
      </p>
      <MadeUp />
      <div className="w-coin-page__columns">
        <div className="w-coin-page__main">
          <ChartSection ticker={coin.ticker} first={history} />
          {coin.priceUsd === null ? null : <PricePoints ticker={coin.ticker} priceUsd={coin.priceUsd} />}
          <CoinNetworks ticker={coin.ticker} networks={networks} />
          <ShareLinks title={t("coin.title", { name: coin.name })} path={`/price/${coin.symbol}`} />
        </div>
        <aside className="w-coin-page__side" aria-label={t("coin.exchange", { ticker: coin.ticker })}>
          <section className="w-coin-page__card">
            <h2>{t("coin.exchange", { ticker: coin.ticker })}</h2>
            <p>
              {t("coin.week")} <Change percent={coin.change7d} />
            </p>
            <Button href={`/?send=${coin.slugs[0] ?? ""}`} stretched>
              {t("coin.exchange", { ticker: coin.ticker })}
            </Button>
          </section>
          <Related coin={coin} related={related} />
        </aside>
      </div>
    </div>
  );
}

function Related({ coin, related }: { readonly coin: ListedCoin; readonly related: CoinPageData["related"] }) {
  const { t } = useTranslation("prices");
  if (related.length === 0) return null;
  return (
    <section className="w-coin-page__card">
      <h2>{t("coin.popular", { ticker: coin.ticker })}</h2>
      <ul>
        {related.map(({ coin: other, from, to }) => (
          <li key={to}>
            <CoinMark instrument={other.mark} size={24} withNetwork={false} />
            <Link href={`/exchange-${formatPairSlug({ from, to })}`}>
              {t("coin.pair", { from: coin.ticker, to: other.ticker })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
