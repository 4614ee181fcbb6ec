import { ExchangePage } from "../../features/exchange/calculator/exchange-page.tsx";
import { destinationStep } from "../../features/exchange/destination/lazy-destination-step.tsx";
import type { CalculatorData } from "../../features/exchange/load.ts";
import { stepOf } from "../../features/exchange/model/calculator-url.ts";
import { definePage } from "../router/define-page.ts";
import { SavedOrder } from "./saved-order.tsx";

export const page = definePage<CalculatorData>({
  Page: () => (
    <>
      <ExchangePage />
      <div className="w-page">
        <SavedOrder />
      </div>
    </>
  ),
  load: async (input) => (await import("../../features/exchange/load.ts")).loadExchange(input),
  parts: (query) => (stepOf(query) === "destination" ? [destinationStep] : []),
  head: ({ catalogue, opening }, t) => {
    const find = (slug: string) => catalogue.instruments.find((instrument) => instrument.slug === slug);
    const [from, to] = [find(opening.from), find(opening.to)];
    const values = {
      from: from?.currencyTitle,
      to: to?.currencyTitle,
      fromNetwork: from?.networkFriendlyTitle,
      toNetwork: to?.networkFriendlyTitle,
    };
    return {
      title: `${t("page.title", { ns: "exchange", ...values })} · Wherry`,
      description: t("page.lead", { ns: "exchange", ...values }),
      values,
    };
  },
});
