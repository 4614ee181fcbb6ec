import { CodedError } from "#contract/errors.ts";
import type { PairList } from "#contract/instrument.ts";
import type { Catalogue, CatalogueInstrument } from "../catalogue/index.ts";
import type { Handlers } from "../base/routes.ts";
import type { NetworkReader } from "../chains/port.ts";
import type { FiatRates, Rates } from "./port.ts";
import { invalid, pairNotActive } from "./errors.ts";

export { addRateFeed } from "./rate-feed.ts";
export { addRateSocket } from "./live/socket.ts";
export type { SocketLimits } from "./live/socket-limits.ts";

type RateCall =
  | "rate"
  | "recommendedAmount"
  | "instruments"
  | "instrumentsV1"
  | "pairs"
  | "defaultPair"
  | "validateAddress";

export type RateRoutesParts = {
  catalogue: Catalogue;
  rates: Rates;
  /** Null where no cards are taken. */
  fiat: FiatRates | null;
  networks: ReadonlyMap<string, Pick<NetworkReader, "parseAddress">>;
};

/** The calls about instruments, pairs and rates. */
export function rateHandlers({ catalogue, rates, fiat, networks }: RateRoutesParts): Pick<Handlers, RateCall> {
  const list: Handlers["instruments"] = ({ query }) => {
    if (fiat !== null && query.providers?.split(",").includes(fiat.code) === true) return fiat.listed();
    return [...catalogue.instruments.values()]
      .filter((one) => one.isActive || query.all === "true")
      .map(({ slug }) => rates.instrument(slug));
  };

  return {
    rate: ({ query, caller }) => {
      if (query.exchangeType === "crypto") return rates.pairData(query);
      if (fiat === null) throw pairNotActive(query.instrumentFromSlug, query.instrumentToSlug);
      return fiat.pairData(query, { address: caller.key, network: caller.network ?? null });
    },
    recommendedAmount: ({ query }) => {
      const from = find(
        catalogue,
        query.instrumentFromCurrencyTitle,
        query.instrumentFromNetworkTitle,
        "instrumentFrom",
      );
      const to = find(catalogue, query.instrumentToCurrencyTitle, query.instrumentToNetworkTitle, "instrumentTo");
      const recommended = rates.recommendedAmount({ from: from.slug, to: to.slug, rateMode: query.rateMode });
      return { recommendedAmount: recommended };
    },
    instruments: list,
    instrumentsV1: list,
    pairs: () => listPairs(catalogue),
    defaultPair: () => {
      const { from, to } = catalogue.defaultPair;
      return { instrumentFrom: rates.instrument(from), instrumentTo: rates.instrument(to) };
    },
    validateAddress: ({ body }) => {
      const reader = networks.get(body.networkTitle);
      if (!reader) throw new CodedError("ERR_NETWORK_NOT_SUPPORTED", "This network is not supported");
      find(catalogue, body.currencyTitle, body.networkTitle, "currencyTitle");
      const parsed = reader.parseAddress(body.address.trim());
      return { result: parsed.valid, code: parsed.valid || body.getRejectReason !== true ? null : parsed.code };
    },
  };
}

function find(catalogue: Catalogue, currencyTitle: string, networkTitle: string, field: string): CatalogueInstrument {
  for (const one of catalogue.instruments.values())
    if (one.currencyTitle === currencyTitle && one.networkTitle === networkTitle) return one;
  throw invalid({
    [field === "currencyTitle" ? field : `${field}CurrencyTitle`]: "is no known instrument of this network",
  });
}

/** Every pair that takes orders, by the sending slug; coins that nothing is exchanged for are left out (contract §2). */
export function listPairs(catalogue: Catalogue): PairList {
  const slugs = [...catalogue.slugs];
  return slugs
    .map((from) => ({ from, to: slugs.filter((to) => catalogue.isPairActive(from, to)) }))
    .filter(({ to }) => to.length > 0);
}
