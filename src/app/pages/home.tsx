import { HomeCalculator } from "../../features/exchange/home-calculator.tsx";
import { type CalculatorData, loadCalculator } from "../../features/exchange/load.ts";
import { HomePage } from "../../features/home/home-page.tsx";
import { type HomeParts, loadHome } from "../../features/home/load.ts";
import { pageModule } from "../page-module.ts";

type HomeData = { readonly calculator: CalculatorData; readonly home: HomeParts };

export const page = pageModule<HomeData>({
  Page: () => <HomePage calculator={<HomeCalculator />} />,
  load: async ({ query, api }) => {
    const calculator = await loadCalculator({ query, api });
    return { kind: "page", data: { calculator, home: await loadHome(api, calculator.catalogue) } };
  },
  head: (_data, t) => ({
    title: `${t("hero.title", { ns: "home" })} · Wherry`,
    description: t("hero.lead", { ns: "home" }),
  }),
});
