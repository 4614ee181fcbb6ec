import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { PairData } from "#contract/rate.ts";
import { usePageData, usePageNow, useRateLockMinutes } from "../../../shared/page/page-context.ts";
import { Question } from "../../../shared/ui/index.ts";
import type { PairParts } from "../load.ts";
import { pairFacts } from "../model/pair-facts.ts";
import { pairQuestions } from "../model/pair-questions.ts";
import { Delivered } from "./delivered.tsx";
import { FactList } from "./fact-list.tsx";
import { LastExchanges } from "./last-exchanges.tsx";
import { networkName } from "../model/network-name.ts";
import "./pair-about.css";

/** What the page of a pair has loaded with, as far as this part needs it. */
type PairPageData = {
  readonly catalogue: { readonly instruments: readonly Instrument[] };
  readonly opening: { readonly from: string; readonly to: string; readonly firstRate: PairData | null };
  readonly pair: PairParts;
};

type PairAboutProps = {
  /** The chart of the pair, which is of another feature. */
  readonly renderChart: (from: Instrument, to: Instrument) => ReactNode;
};

/** Below the calculator of a pair: what is true of the pair, how its exchanges went, and its questions. */
export function PairAbout({ renderChart }: PairAboutProps) {
  const { catalogue, opening, pair } = usePageData<PairPageData>();
  const now = usePageNow();
  const rateLockMinutes = useRateLockMinutes();
  const { t } = useTranslation("pair");
  const { t: common } = useTranslation("common");
  const find = (slug: string) => catalogue.instruments.find((one) => one.slug === slug);
  const [from, to] = [find(opening.from), find(opening.to)];
  if (from === undefined || to === undefined) return null;
  // Facts, chart and questions are of coins: nothing of a currency has confirmations or a price of ours.
  if (from.instrumentType === "fiat" || to.instrumentType === "fiat") return null;
  const facts = pairFacts(from, to, opening.firstRate, pair.activity);
  const tickers = { from: from.currencyTitle, to: to.currencyTitle };
  return (
    <div className="w-page w-pair">
      <section className="w-pair__part" aria-labelledby="pair-facts">
        <h2 id="pair-facts">{t("facts.title", tickers)}</h2>
        <p className="w-pair__text">
          {t("facts.text", {
            ...tickers,
            count: from.confirmations,
            fromNetwork: networkName(from),
            toNetwork: networkName(to),
          })}
        </p>
        <FactList facts={facts} />
      </section>
      <section className="w-pair__part" aria-labelledby="pair-chart">
        <h2 id="pair-chart">{t("chart.title", tickers)}</h2>
        {renderChart(from, to)}
      </section>
      {pair.activity === null ? null : (
        <div className="w-pair__columns">
          <LastExchanges from={from} to={to} latest={pair.activity.latest} now={now} />
          <Delivered statistics={pair.activity.statistics} />
        </div>
      )}
      <section className="w-pair__part" aria-labelledby="pair-questions">
        <h2 id="pair-questions">{t("questions.title", tickers)}</h2>
        {pairQuestions(facts, rateLockMinutes, t, common).map(({ question, answer }) => (
          <Question key={question} title={question} isDense>
            <p>{answer}</p>
          </Question>
        ))}
      </section>
    </div>
  );
}
