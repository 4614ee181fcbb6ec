import { useLocation } from "wouter";
import { ExchangePage } from "../../features/exchange/calculator/exchange-page.tsx";
import { destinationStep } from "../../features/exchange/destination/lazy-destination-step.tsx";
import type { CalculatorData } from "../../features/exchange/load.ts";
import { stepOf } from "../../features/exchange/model/calculator-url.ts";
import { pairNames } from "../../shared/format/pair-names.ts";
import { usePageSearch } from "../../shared/page/page-context.ts";
import { definePage } from "../router/define-page.ts";
import { SavedOrder } from "./saved-order.tsx";

/** On the step before an order, nothing but that order. */
function BelowCalculator() {
  const [path] = useLocation();
  const isStep = stepOf(new URLSearchParams(usePageSearch(path.startsWith("/exchange-")))) === "destination";
  return (
    <div className="w-page">
      <SavedOrder withOpenOrders={!isStep} />
    </div>
  );
}

export const page = definePage<CalculatorData>({
  Page: () => (
    <>
      <ExchangePage />
      <BelowCalculator />
    </>
  ),
  load: async (input) => (await import("../../features/exchange/load.ts")).loadExchange(input),
  parts: (query) => (stepOf(query) === "destination" ? [destinationStep] : []),
  head: ({ catalogue, opening }, t) => {
    const find = (slug: string) => catalogue.instruments.find((instrument) => instrument.slug === slug);
    const [from, to] = [find(opening.from), find(opening.to)];
    if (from === undefined || to === undefined) throw new Error("the page's coins are not in its catalogue");
    const names = pairNames(from, to);
    const values = {
      fromName: names.from,
      toName: names.to,
      from: from.currencyTitle,
      to: to.currencyTitle,
      fromNetwork: from.networkFriendlyTitle,
      toNetwork: to.networkFriendlyTitle,
    };
    return {
      title: `${t("page.title", { ns: "exchange", ...values })} · Wherry`,
      description: t("page.lead", { ns: "exchange", ...values }),
      values,
    };
  },
});
