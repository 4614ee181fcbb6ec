import { Suspense } from "react";
import { useLocation } from "wouter";
import { ExchangePage } from "../../features/exchange/calculator/exchange-page.tsx";
import { destinationStep } from "../../features/exchange/destination/lazy-destination-step.tsx";
import type { CalculatorData } from "../../features/exchange/load.ts";
import { cardRateParts } from "../../features/exchange/calculator/lazy-card-rate.tsx";
import { cardStepParts } from "../../features/exchange/card/lazy-card-parts.ts";
import { stepOf } from "../../features/exchange/model/calculator-url.ts";
import { kindOf } from "../../features/exchange/model/kind.ts";
import { pairValues } from "../../shared/format/pair-names.ts";
import type { PairParts } from "../../features/pair/load.ts";
import { type Loaded, type LoadInput, usePageSearch } from "../../shared/page/page-context.ts";
import { atRest } from "../../shared/page/at-rest.ts";
import { lazyWithPreload } from "../../shared/page/lazy-with-preload.tsx";
import { definePage } from "../router/define-page.ts";
import { SavedOrder } from "./saved-order.tsx";

/** Rendered by the server, and hydrated after the calculator. */
const sharePair = lazyWithPreload(
  "src/app/pages/share-pair.tsx",
  async () => (await import("./share-pair.tsx")).SharePair,
  ["share"],
);

/** Readable as rendered by the server; its code is none that an exchange waits for. */
const about = lazyWithPreload(
  "src/app/pages/exchange-about.tsx",
  async () => {
    if (typeof document !== "undefined") await atRest();
    return (await import("./exchange-about.tsx")).ExchangeAbout;
  },
  ["pair", "prices"],
);

/** On the step before an order, nothing but that order. */
function BelowCalculator() {
  const [path] = useLocation();
  const isStep = stepOf(new URLSearchParams(usePageSearch(path.startsWith("/exchange-")))) === "destination";
  return (
    <>
      <div className="w-page">
        <SavedOrder withOpenOrders={!isStep} />
      </div>
      {isStep ? null : (
        <>
          <Suspense>
            <about.Component />
          </Suspense>
          <Suspense>
            <sharePair.Component />
          </Suspense>
        </>
      )}
    </>
  );
}

type ExchangeData = CalculatorData & { readonly pair: PairParts };

async function load(input: LoadInput): Promise<Loaded<ExchangeData>> {
  const [{ loadExchange }, { loadPair }] = await Promise.all([
    import("../../features/exchange/load.ts"),
    import("../../features/pair/load.ts"),
  ]);
  const loaded = await loadExchange(input);
  if (loaded.kind !== "page") return loaded;
  const { catalogue, opening } = loaded.data;
  return { ...loaded, data: { ...loaded.data, pair: await loadPair(input.api, catalogue, opening) } };
}

export const page = definePage<ExchangeData>({
  Page: () => (
    <>
      <ExchangePage />
      <BelowCalculator />
    </>
  ),
  load,
  parts: (query, { catalogue, opening }) =>
    stepOf(query) === "destination"
      ? [destinationStep, ...cardRateParts(catalogue, opening), ...cardStepParts(catalogue, opening)]
      : cardRateParts(catalogue, opening),
  deferred: [sharePair, about],
  head: ({ catalogue, opening, pair }, t) => {
    const find = (slug: string) => catalogue.instruments.find((instrument) => instrument.slug === slug);
    const [from, to] = [find(opening.from), find(opening.to)];
    if (from === undefined || to === undefined) throw new Error("the page's coins are not in its catalogue");
    const values = pairValues(from, to);
    return {
      title: `${t("page.title", { ns: "exchange", ...values, context: kindOf(from, to) })} · Wherry`,
      description: t("page.lead", { ns: "exchange", ...values, context: kindOf(from, to) }),
      values,
      isIndexed: pair.isListed,
      hasPicture: true,
      ...(opening.firstRate !== null && {
        rate: { currency: values.from, price: opening.firstRate.price, priceCurrency: values.to },
      }),
    };
  },
});
