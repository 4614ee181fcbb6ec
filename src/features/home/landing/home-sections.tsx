import { useTranslation } from "react-i18next";
import { usePageData } from "../../../shared/page/page-context.ts";
import { useHomeParts } from "../api.ts";
import type { HomeParts } from "../load.ts";
import type { Catalogue } from "../model/pair-rates.ts";
import { reliableStats } from "../model/reliable-stats.ts";
import { AppBand } from "./app-band.tsx";
import { Hero } from "./hero.tsx";
import { LatestExchanges } from "./latest-exchanges.tsx";
import { Questions } from "./questions.tsx";
import { RatesNow } from "./rates-now.tsx";
import { StatsRow } from "./stats-row.tsx";
import { ThreeSteps } from "./three-steps.tsx";

type HomeData = { readonly home: HomeParts; readonly calculator: { readonly catalogue: Catalogue } };

export function HomeHero() {
  const { stats } = usePageData<HomeData>().home;
  return <Hero medianSeconds={stats === null ? null : reliableStats(stats).medianSeconds} />;
}

/** Everything below the calculator; a part without data behind it is not shown. */
export function HomeSections() {
  const { home, calculator } = usePageData<HomeData>();
  const { value, at, polling } = useHomeParts(home, calculator.catalogue);
  const { latest, stats, rates, changes } = value;
  const { t } = useTranslation("home");
  return (
    <>
      {polling}
      <LatestExchanges exchanges={latest} now={at} />
      <div className="w-page w-home__parts">
        {stats === null ? null : <StatsRow stats={reliableStats(stats)} />}
        <section className="w-home__part" id="steps" aria-labelledby="steps-title">
          <h2 id="steps-title">{t("steps.title")}</h2>
          <ThreeSteps />
        </section>
        <RatesNow rates={rates} changes={changes} />
        <AppBand />
        <section className="w-home__part w-home__questions" id="questions" aria-labelledby="questions-title">
          <h2 id="questions-title">{t("questions.title")}</h2>
          <Questions />
        </section>
      </div>
    </>
  );
}
