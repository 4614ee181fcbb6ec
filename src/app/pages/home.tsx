import { cardRateParts } from "../../features/exchange/calculator/lazy-card-rate.tsx";
import { HomeCalculator } from "../../features/exchange/calculator/home-calculator.tsx";
import type { CalculatorData } from "../../features/exchange/load.ts";
import { HomePage, homeHero, homeSections } from "../../features/home/landing/home-page.tsx";
import type { HomeParts } from "../../features/home/load.ts";
import { definePage } from "../router/define-page.ts";
import { SavedOrder } from "./saved-order.tsx";

type HomeData = { readonly calculator: CalculatorData; readonly home: HomeParts };

export const page = definePage<HomeData>({
  Page: () => (
    <HomePage
      calculator={
        <>
          <HomeCalculator />
          <SavedOrder />
        </>
      }
    />
  ),
  parts: (_query, { calculator: { catalogue, opening } }) => cardRateParts(catalogue, opening),
  deferred: [homeHero, homeSections],
  load: async ({ query, api }) => {
    const [{ loadCalculator }, { loadHome }] = await Promise.all([
      import("../../features/exchange/load.ts"),
      import("../../features/home/load.ts"),
    ]);
    const calculator = await loadCalculator({ query, api });
    return { kind: "page", data: { calculator, home: await loadHome(api, calculator.catalogue) } };
  },
  head: (_data, t) => ({
    title: `${t("hero.title", { ns: "home" })} · Wherry`,
    description: t("hero.lead", { ns: "home" }),
  }),
});
