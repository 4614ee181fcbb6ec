import { type ComponentType, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { formatTime } from "../../../shared/format/format-time.ts";
import { usePageData, usePageNow } from "../../../shared/page/page-context.ts";
import { useClock } from "../../../shared/page/use-hydrated.ts";
import { useInView } from "../../../shared/page/use-in-view.ts";
import { Button, classNames, CoinMark, Icon, Note, Question } from "../../../shared/ui/index.ts";
import { ShareButton, ShareLinks } from "../../../telegram/share-links.tsx";
import { readPriceList } from "../list/api.ts";
import type { CoinPageData, ListedCoin } from "../load.ts";
import { Change } from "../../../shared/ui/text/change.tsx";
import { MadeUp } from "../made-up.tsx";
import { formatPrice } from "../model/format-price.ts";
import { useLive } from "../use-live.ts";
import { ChartSection } from "./chart-section.tsx";
import { CoinNetworks } from "./coin-networks.tsx";
import { PricePoints } from "./price-points.tsx";
import { RelatedPairs } from "./related-pairs.tsx";
import { Tiles } from "./tiles.tsx";
import { useLivePrice } from "./use-live-price.ts";
import { coinQuestions } from "../model/coin-questions.ts";
import "./coin-page.css";
import "./coin-questions.css";
import "./price-points.css";

export type CalculatorSlotProps = { readonly from: string; readonly to: string };

type CoinPageProps = {
  /** The calculator, which is of another feature; it may come late, or not at all. */
  readonly Calculator: ComponentType<CalculatorSlotProps>;
};

/** `/price/{symbol}`: what a coin costs, has cost, and is on our networks. */
export function CoinPage({ Calculator }: CoinPageProps) {
  const { coin: first, networks, history, limits, livePair, related, currencies } = usePageData<CoinPageData>();
  const { t } = useTranslation("prices");
  const { nowOf, at, isStale } = useLiveCoins(first);
  const coin = nowOf(first);
  const live = useLivePrice(livePair);
  const clock = useClock();
  const price = live?.price ?? coin.priceUsd;
  const time = formatTime(live?.at ?? at, clock);
  const link = { title: t("coin.title", { name: coin.name }), path: `/price/${coin.symbol}` };
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
              <Change percent={coin.change24h} />{" "}
              <span className="w-coin-page__since">
                {t("coin.inDay")}
                {price === null ? null : <span data-clock={clock}>, {t("coin.updated", { time })}</span>}
              </span>
            </span>
          </p>
        </div>
        <div className="w-coin-page__share">
          <ShareButton {...link} />
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
          <ChartSection ticker={coin.ticker} first={history} currencies={currencies} />
          <Tiles coin={coin} limits={limits} day={history.day} price={price} />
        </div>
        <aside className="w-coin-page__side" aria-label={t("coin.exchange", { ticker: coin.ticker })}>
          <ExchangeCard coin={coin} pair={related[0]} Calculator={Calculator} />
          <RelatedPairs coin={coin} related={related} price={price} priceOf={(other) => nowOf(other).priceUsd} />
        </aside>
        <div className="w-coin-page__main">
          {price === null ? null : <PricePoints ticker={coin.ticker} priceUsd={price} />}
          <CoinNetworks ticker={coin.ticker} networks={networks} />
          <CoinQuestions coin={coin} networks={networks} limits={limits} />
          <ShareLinks {...link} />
        </div>
      </div>
    </div>
  );
}

type ExchangeCardProps = CoinPageProps & {
  readonly coin: ListedCoin;
  /** The first that it is exchanged for. */
  readonly pair: CoinPageData["related"][number] | undefined;
};

/** A link to the calculator, which takes its place once that is looked at: on a phone it is far below. */
function ExchangeCard({ coin, pair, Calculator }: ExchangeCardProps) {
  const { t } = useTranslation("prices");
  const card = useRef<HTMLElement>(null);
  const isInView = useInView(card);
  return (
    <section
      className={classNames(
        "w-coin-page__card w-coin-page__exchange",
        pair !== undefined && "w-coin-page__exchange--waiting",
      )}
      ref={card}
    >
      <h2>{t("coin.exchange", { ticker: coin.ticker })}</h2>
      <div className="w-coin-page__to-exchange">
        <Button href={`/?send=${coin.slugs[0] ?? ""}`} stretched>
          {t("coin.exchange", { ticker: coin.ticker })}
        </Button>
      </div>
      {isInView && pair !== undefined ? <Calculator from={pair.from} to={pair.to} /> : null}
    </section>
  );
}

/** The coins as the list of prices has them now; stale where that can't be had. */
function useLiveCoins(first: ListedCoin) {
  const now = usePageNow();
  const isOnline = useOnline();
  const { value, isFailed } = useLive("coin prices", { coins: [first], at: now }, readPriceList);
  const nowOf = (coin: ListedCoin): ListedCoin => value?.coins.find(({ symbol }) => symbol === coin.symbol) ?? coin;
  return { nowOf, at: value?.at ?? now, isStale: isFailed || !isOnline };
}

type CoinQuestionsProps = Pick<CoinPageData, "coin" | "networks" | "limits">;

function CoinQuestions(facts: CoinQuestionsProps) {
  const { t } = useTranslation("prices");
  return (
    <section className="w-coin-page__card" aria-labelledby="coin-questions">
      <h2 id="coin-questions">{t("questions.title", { ticker: facts.coin.ticker })}</h2>
      {coinQuestions(facts, t).map(({ question, answer }) => (
        <Question key={question} title={question} isDense>
          <p>{answer}</p>
        </Question>
      ))}
    </section>
  );
}
