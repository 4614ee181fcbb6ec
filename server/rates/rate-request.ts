import type { RateRequest } from "#contract/rate.ts";
import { readAmount, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import { exactTo, exactFrom } from "./pair-data.ts";
import type { RatePair } from "./port.ts";
import type { QuoteRequest } from "./quote.ts";
import { invalid } from "./refusals.ts";

/** Reads a rate request against the catalogue; ERR_VALIDATION names the field that is wrong. */
export function readRateRequest(catalogue: Catalogue, request: RateRequest): { pair: RatePair; ask: QuoteRequest } {
  const { instrumentFromSlug, instrumentToSlug, claimedDepositAmount, claimedDepositAmountCurrency, rateMode } =
    request;
  const from = known(catalogue, instrumentFromSlug, "instrumentFromSlug");
  const to = known(catalogue, instrumentToSlug, "instrumentToSlug");
  if (from.slug === to.slug) throw invalid({ instrumentToSlug: "must differ from the sending instrument" });
  const counted = claimedDepositAmountCurrency ?? from.slug;
  if (counted !== from.slug && counted !== to.slug)
    throw invalid({ claimedDepositAmountCurrency: "must be one of the pair's two instruments" });

  const pair = { from: from.slug, to: to.slug, rateMode };
  const read = (instrument: CatalogueInstrument) =>
    readAmount(instrument, claimedDepositAmount, "claimedDepositAmount");
  return counted === to.slug ? { pair, ask: exactTo(read(to)) } : { pair, ask: exactFrom(read(from)) };
}

function known(catalogue: Catalogue, slug: string, field: string): CatalogueInstrument {
  const found = catalogue.instruments.get(slug);
  if (!found) throw invalid({ [field]: "is no known instrument" });
  return found;
}
