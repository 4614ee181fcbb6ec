import type { CodedError } from "#contract/errors.ts";
import { formatAmount, ratio, toMinor } from "#contract/money.ts";
import type { PairData, RateMode, RateRequest } from "#contract/rate.ts";
import { toInstrument, readAmount, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import { depositBounds } from "./bounds.ts";
import { paceOf } from "./arrival.ts";
import { bestQuote, OWN_LIQUIDITY, partnerQuote, quote, type QuoteRequest, type Quote } from "./quote.ts";
import { formatPrice, type Pricing } from "./pricing.ts";
import { noLiquidity, tooBig, tooSmall, invalid } from "./errors.ts";
import type { ArrivalTimes, RatePair } from "./port.ts";

/** What new orders of a rate mode can be promised of an instrument, in minor units; null while unknown. */
export type AvailableBalance = (slug: string, rateMode: RateMode) => bigint | null;

/** A quote and who fills it: `liquidityProviderPublicCode`. */
export type ProvidedQuote = { provider: string; quote: Quote };

/** The best quote whose amount may be sent: bounds are judged before liquidity (contract §2). */
export function boundedQuote(pricing: Pricing, ask: QuoteRequest, available: AvailableBalance): ProvidedQuote {
  const made = quote(pricing.terms, ask);
  const outside = boundRefusal(pricing, ask, made);
  if (outside !== null) throw outside;
  const found = made && providedQuote(pricing, ask, made, available);
  if (found === null) throw noLiquidity();
  return found;
}

/** Why an amount is outside the pair's bounds; null where it is inside. `made` is its quote. */
export function boundRefusal(pricing: Pricing, ask: QuoteRequest, made: Quote | null): CodedError | null {
  const { from, bounds } = pricing;
  const isUnder = ask.side === "from" && ask.amount < bounds.min;
  if (isUnder || made === null || made.amountFrom < bounds.min)
    return tooSmall(formatAmount(bounds.min, from.decimals), from.slug);
  return made.amountFrom > bounds.max
    ? tooBig(formatAmount(bounds.max, from.decimals), from.slug, floatingMax(pricing))
    : null;
}

/** Who fills it best; null where nobody can. */
export function providedQuote(
  pricing: Pricing,
  ask: QuoteRequest,
  made: Quote,
  available: AvailableBalance,
): ProvidedQuote | null {
  const balance = available(pricing.to.slug, pricing.rateMode);
  const own: ProvidedQuote[] =
    balance !== null && made.amountTo > balance ? [] : [{ provider: OWN_LIQUIDITY, quote: made }];
  return bestQuote([...own, ...partnersOf(pricing, ask)], ask);
}

/** What may be sent at a floating rate where that is more than a fixed one takes; else null. */
function floatingMax({ from, to, rateMode, terms, bounds }: Pricing): string | null {
  if (rateMode === "FLOATING") return null;
  const { networkFee } = terms;
  const prices = { fromPriceUsd: terms.from.priceUsd, toPriceUsd: terms.to.priceUsd };
  const { max } = depositBounds({ from, to, rateMode: "FLOATING", ...prices, networkFee });
  return max > bounds.max ? formatAmount(max, from.decimals) : null;
}

function partnersOf({ offers, partnerTerms, bounds }: Pricing, ask: QuoteRequest): ProvidedQuote[] {
  return offers.flatMap((offer) => {
    const made = partnerQuote(partnerTerms, offer, ask);
    if (made === null || made.quote.amountFrom < bounds.min || made.quote.amountFrom > bounds.max) return [];
    return [{ provider: made.partner, quote: made.quote }];
  });
}

/** Asks for a rate of just this much that is sent, in minor units. */
export const exactFrom = (amount: bigint): QuoteRequest => ({ side: "from", amount: toMinor(amount) });

/** Asks for a rate of just this much that arrives, in minor units. */
export const exactTo = (amount: bigint): QuoteRequest => ({ side: "to", amount: toMinor(amount) });

/** Spec §3 "Pair data". `validUntil` is set for a fixed rate. */
export function toPairData(
  pricing: Pricing,
  ask: QuoteRequest,
  { provider, quote: made }: ProvidedQuote,
  { validUntil, times }: { validUntil: Date | null; times: ArrivalTimes },
): PairData {
  const { from, to, terms, bounds, snapshot } = pricing;
  const min = formatAmount(bounds.min, from.decimals);
  const max = formatAmount(bounds.max, from.decimals);
  return {
    instrumentFrom: toInstrument(from, {
      price: terms.from.priceUsd,
      payoutFee: pricing.fromFee,
      ...paceOf(from, times),
    }),
    instrumentTo: toInstrument(to, { price: terms.to.priceUsd, payoutFee: terms.networkFee, ...paceOf(to, times) }),
    liquidityProviderPublicCode: provider,
    amountToGive: formatAmount(made.amountFrom, from.decimals),
    amountToGet: formatAmount(made.amountTo, to.decimals),
    rateMode: pricing.rateMode,
    price: made.price,
    marketLeftPrice: formatPrice(terms.from.priceUsd),
    marketRightPrice: formatPrice(terms.to.priceUsd),
    marketMinAmount: min,
    generalMinAmount: min,
    generalMaxAmount: max,
    quotes: {
      buyQuote: { quoteValue: ratio(terms.from.priceUsd, terms.to.priceUsd) },
      sellQuote: { quoteValue: ratio(terms.to.priceUsd, terms.from.priceUsd) },
    },
    depositRules: { minAmount: min, maxAmount: max },
    finalNetworkFeeAmount: formatAmount(made.networkFee, to.decimals),
    platformFee_Absolute: formatAmount(made.platformFee, to.decimals),
    claimedDepositAmount: formatAmount(ask.amount, ask.side === "from" ? from.decimals : to.decimals),
    updatedAt: snapshot.at.toISOString(),
    validUntil: validUntil?.toISOString() ?? null,
    ckm: pricing.ckm,
    noKycThreshold: null,
    card: null,
    estimatedSeconds: times.secondsFromSending(from.networkTitle, from.confirmations, to.networkTitle),
  };
}

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
