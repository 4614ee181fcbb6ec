import { ExchangePage } from "../../features/exchange/exchange-page.tsx";
import { lateStep } from "../../features/exchange/destination/late-step.tsx";
import { type CalculatorData, loadExchange, stepOf } from "../../features/exchange/load.ts";
import { pageModule } from "../router/page-module.ts";
import { SavedOrder } from "./saved-order.tsx";

export const page = pageModule<CalculatorData>({
  Page: () => (
    <>
      <ExchangePage />
      <div className="w-page">
        <SavedOrder />
      </div>
    </>
  ),
  load: loadExchange,
  parts: (query) => (stepOf(query) === "destination" ? [lateStep] : []),
  head: ({ catalogue, opening }, t) => {
    const named = (slug: string) => catalogue.instruments.find((instrument) => instrument.slug === slug);
    const [from, to] = [named(opening.from), named(opening.to)];
    const words = {
      from: from?.currencyTitle,
      to: to?.currencyTitle,
      fromNetwork: from?.networkFriendlyTitle,
      toNetwork: to?.networkFriendlyTitle,
    };
    return {
      title: `${t("page.title", { ns: "exchange", ...words })} · Wherry`,
      description: t("page.lead", { ns: "exchange", ...words }),
      values: words,
    };
  },
});
