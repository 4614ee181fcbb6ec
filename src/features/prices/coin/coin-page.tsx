import { type ComponentType, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { formatPairSlug } from "#contract/pair-slug.ts";
import type { PairData } from "#contract/rate.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { formatTime } from "../../../shared/format/format-time.ts";
import { browserApi } from "../../../shared/http/http.ts";
import { usePageData, usePageNow } from "../../../shared/page/page-context.ts";
import { useClock } from "../../../shared/page/use-hydrated.ts";
import { Button, CoinMark, Icon, Note } from "../../../shared/ui/index.ts";
import { ShareLinks } from "../../../telegram/share-links.tsx";
import { type CoinPageData, type ListedCoin, loadPriceList } from "../load.ts";
import { Change } from "../../../shared/ui/text/change.tsx";
import { MadeUp } from "../made-up.tsx";
import { formatPrice } from "../model/format-price.ts";
import { useLive } from "../use-live.ts";
import { ChartSection } from "./chart-section.tsx";
import { CoinNetworks } from "./coin-networks.tsx";
import { CoinQuestions } from "./coin-questions.tsx";
import { PricePoints } from "./price-points.tsx";
import { Tiles } from "./tiles.tsx";
import "./coin-page.css";

export type CalculatorSlotProps = {
  readonly from: string;
  readonly to: string;
  readonly onRate: (rate: PairData) => void;
};

type CoinPageProps = {
  /** The calculator, which is of another feature; it may come late, or not at all. */
  readonly Calculator: ComponentType<CalculatorSlotProps>;
};

/** `/price/{symbol}`: what a coin costs, has cost, and is on our networks. */
export function CoinPage({ Calculator }: CoinPageProps) {
  const { coin: first, networks, history, limits, related, currencies } = usePageData<CoinPageData>();
  const { t } = useTranslation("prices");
  const { coin, at, isStale } = useLiveCoin(first);
  const live = useRatePrice(coin.slugs);
  const clock = useClock();
  const [pair] = related;
  const price = live.price ?? coin.priceUsd;
  const time = formatTime(live.at ?? at, clock);
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
            <strong className="w-number">{formatPrice(price)}</strong>
            <span>
              <Change percent={coin.change24h} /> {t("coin.inDay")}
              {price === null ? null : `, ${t("coin.updated", { time })}`}
            </span>
          </p>
        </div>
      </header>
      <p className="w-coin-page__lead">
        {t("coin.lead", { name: coin.name, ticker: coin.ticker, count: networks.length })}
      </p>
      <MadeUp />
      {isStale ? (
        <Note tone="info" title={t("coin.stale", { time })}>
          {t("coin.staleText")}
        </Note>
      ) : null}
      <div className="w-coin-page__columns">
        <div className="w-coin-page__main">
          <ChartSection
            ticker={coin.ticker}
            first={history}
            currencies={currencies.filter((currency) => currency !== coin.ticker)}
          />
          <Tiles coin={coin} limits={limits} day={history.day} price={price} />
        </div>
        <aside className="w-coin-page__side" aria-label={t("coin.exchange", { ticker: coin.ticker })}>
          <section className="w-coin-page__card w-coin-page__exchange">
            <h2>{t("coin.exchange", { ticker: coin.ticker })}</h2>
            {live.isOpen ? null : (
              <Button href={`/?send=${coin.slugs[0] ?? ""}`} stretched>
                {t("coin.exchange", { ticker: coin.ticker })}
              </Button>
            )}
            {pair === undefined ? null : <Calculator from={pair.from} to={pair.to} onRate={live.take} />}
          </section>
          <Related coin={coin} related={related} />
        </aside>
        <div className="w-coin-page__main">
          {price === null ? null : <PricePoints ticker={coin.ticker} priceUsd={price} />}
          <CoinNetworks ticker={coin.ticker} networks={networks} />
          <CoinQuestions coin={coin} networks={networks} limits={limits} />
          <ShareLinks title={t("coin.title", { name: coin.name })} path={`/price/${coin.symbol}`} />
        </div>
      </div>
    </div>
  );
}

/** The coin as the list of prices has it now; stale where that can't be had. */
function useLiveCoin(first: ListedCoin): { coin: ListedCoin; at: string; isStale: boolean } {
  const now = usePageNow();
  const isOnline = useOnline();
  const load = async () => ({ ...(await loadPriceList(browserApi)), at: new Date().toISOString() });
  const { value, isFailed } = useLive("coin prices", { coins: [first], at: now }, load);
  const coin = value?.coins.find(({ symbol }) => symbol === first.symbol) ?? first;
  return { coin, at: value?.at ?? now, isStale: isFailed || !isOnline };
}

/** The coin's market price in the rates that the calculator's socket brings, one at a time; null before the first, and of other coins. */
function useRatePrice(slugs: readonly string[]) {
  const [rate, setRate] = useState<PairData | null>(null);
  const take = useCallback((given: PairData) => setRate(given), []);
  const isOf = (slug: string | undefined) => slug !== undefined && slugs.includes(slug);
  const price = isOf(rate?.instrumentFrom.slug)
    ? (rate?.marketLeftPrice ?? null)
    : isOf(rate?.instrumentTo.slug)
      ? (rate?.marketRightPrice ?? null)
      : null;
  return { price, at: price === null ? null : (rate?.updatedAt ?? null), isOpen: rate !== null, take };
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
