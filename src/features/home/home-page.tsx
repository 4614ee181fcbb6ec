import type { ReactNode } from "react";
import { useT } from "../../lib/i18n/index.ts";
import { usePageData } from "../../lib/page.ts";
import "./home-page.css";
import type { HomeParts } from "./load.ts";
import { Hero } from "./parts/hero.tsx";
import { LatestExchanges } from "./parts/latest-exchanges.tsx";
import { Questions } from "./parts/questions.tsx";
import { RatesNow } from "./parts/rates-now.tsx";
import { StatsRow } from "./parts/stats-row.tsx";
import { ThreeSteps } from "./parts/three-steps.tsx";

/** `/`: the calculator, and what backs it; a part without data behind it is not shown. */
export function HomePage({ calculator }: { readonly calculator: ReactNode }) {
  const { latest, stats, rates } = usePageData<{ home: HomeParts }>().home;
  const t = useT("home");
  return (
    <div className="w-page w-home">
      <div className="w-home__top">
        <div className="w-home__calculator">{calculator}</div>
        <Hero medianSeconds={stats?.medianSeconds ?? null} />
      </div>
      <LatestExchanges exchanges={latest} />
      {stats === null ? null : <StatsRow stats={stats} />}
      <section className="w-home__part" aria-labelledby="steps-title">
        <h2 id="steps-title">{t("steps.title")}</h2>
        <ThreeSteps />
      </section>
      <RatesNow rates={rates} />
      <section className="w-home__part w-home__questions" aria-labelledby="questions-title">
        <h2 id="questions-title">{t("questions.title")}</h2>
        <Questions />
      </section>
    </div>
  );
}
