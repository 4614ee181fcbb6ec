import { formatAmount, ratio, toMinor } from "#contract/money.ts";
import type { PairData } from "#contract/rate.ts";
import { toInstrument } from "../catalogue/index.ts";
import { best, HOUSE, partnerQuote } from "../liquidity/quote.ts";
import { formatPrice, type Pricing } from "./pricing.ts";
import { quote, type Ask, type Quote } from "./quote.ts";
import { noLiquidity, tooBig, tooSmall } from "./refusals.ts";

/** What the house can pay out of an instrument at this moment, in its minor units; null where nobody knows. */
export type Available = (slug: string) => bigint | null;

/** A quote and who fills it: `liquidityProviderPublicCode`. */
export type Offered = { provider: string; quote: Quote };

/** The best quote whose amount may be sent: bounds are judged before liquidity (contract §2). */
export function boundedQuote(pricing: Pricing, ask: Ask, available: Available): Offered {
  const { from, to, bounds } = pricing;
  const min = formatAmount(bounds.min, from.decimals);
  if (ask.side === "give" && ask.amount < bounds.min) throw tooSmall(min, from.slug);
  const made = quote(pricing.terms, ask);
  if (made === null || made.give < bounds.min) throw tooSmall(min, from.slug);
  if (made.give > bounds.max) throw tooBig(formatAmount(bounds.max, from.decimals), from.slug);
  const balance = available(to.slug);
  const house: Offered[] = balance !== null && made.get > balance ? [] : [{ provider: HOUSE, quote: made }];
  const found = best([...house, ...partnersOf(pricing, ask)], ask);
  if (found === null) throw noLiquidity();
  return found;
}

function partnersOf({ offers, partnerTerms, bounds }: Pricing, ask: Ask): Offered[] {
  return offers.flatMap((offer) => {
    const made = partnerQuote(partnerTerms, offer, ask);
    if (made === null || made.quote.give < bounds.min || made.quote.give > bounds.max) return [];
    return [{ provider: made.partner, quote: made.quote }];
  });
}

export const askGive = (amount: bigint): Ask => ({ side: "give", amount: toMinor(amount) });
export const askGet = (amount: bigint): Ask => ({ side: "get", amount: toMinor(amount) });

/** Spec §3 "Pair data". `validUntil` is set for a fixed rate. */
export function toPairData(
  pricing: Pricing,
  ask: Ask,
  { provider, quote: made }: Offered,
  validUntil: Date | null,
): PairData {
  const { from, to, terms, bounds, snapshot } = pricing;
  const min = formatAmount(bounds.min, from.decimals);
  const max = formatAmount(bounds.max, from.decimals);
  return {
    instrumentFrom: toInstrument(from, terms.give.priceUsd),
    instrumentTo: toInstrument(to, terms.get.priceUsd),
    liquidityProviderPublicCode: provider,
    amountToGive: formatAmount(made.give, from.decimals),
    amountToGet: formatAmount(made.get, to.decimals),
    rateMode: pricing.rateMode,
    price: made.price,
    marketLeftPrice: formatPrice(terms.give.priceUsd),
    marketRightPrice: formatPrice(terms.get.priceUsd),
    marketMinAmount: min,
    generalMinAmount: min,
    generalMaxAmount: max,
    quotes: {
      buyQuote: { quoteValue: ratio(terms.give.priceUsd, terms.get.priceUsd) },
      sellQuote: { quoteValue: ratio(terms.get.priceUsd, terms.give.priceUsd) },
    },
    depositRules: { minAmount: min, maxAmount: max },
    finalNetworkFeeAmount: formatAmount(made.networkFee, to.decimals),
    platformFee_Absolute: formatAmount(made.platformFee, to.decimals),
    claimedDepositAmount: formatAmount(ask.amount, ask.side === "give" ? from.decimals : to.decimals),
    updatedAt: snapshot.at.toISOString(),
    validUntil: validUntil?.toISOString() ?? null,
    ckm: pricing.ckm,
    noKycThreshold: null,
  };
}
