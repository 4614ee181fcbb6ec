import { displayedUnit, divideUp, formatAmount, powerOfTen, toMinor } from "#contract/money.ts";
import type { CodedError } from "#contract/errors.ts";
import type { RateMode } from "#contract/rate.ts";
import { feeInstrument, PRICE_DECIMALS, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import { offersFor, type PartnerOffer, type PartnerTerms, type QuoteTerms } from "./quote.ts";
import { depositBounds, type Bounds } from "./bounds.ts";
import { feeKey, type PriceSnapshot, type RatePair } from "./port.ts";
import { noFixedRate, noPriceNow, pairNotActive, refundOnlyNow } from "./errors.ts";

/** One pair on one snapshot: everything its quotes need. */
export type Pricing = {
  snapshot: PriceSnapshot;
  from: CatalogueInstrument;
  to: CatalogueInstrument;
  rateMode: RateMode;
  terms: QuoteTerms;
  /** What paying the sending instrument out costs, as a refund does; null while it is unknown. */
  fromFee: bigint | null;
  bounds: Bounds;
  /** What partners quote for it. None for a fixed rate, which only our own treasury can guarantee. */
  offers: readonly PartnerOffer[];
  partnerTerms: PartnerTerms;
  ckm: "A" | "B" | "D";
};

export type PricingDeps = {
  catalogue: Catalogue;
  isNetworkUp: (networkTitle: string) => boolean;
  isQuoteStopped(instrument: CatalogueInstrument, direction: "from" | "to"): boolean;
  /** True while the whole service takes no new orders. */
  isRefundOnly(): boolean;
};

/** Prices a pair whether or not new orders are taken for it; ERR_SERVICE_UNAVAILABLE without a price or a fee. */
export function pricePair(
  { catalogue }: Pick<PricingDeps, "catalogue">,
  pair: RatePair,
  snapshot: PriceSnapshot,
): Pricing {
  const from = catalogue.instruments.get(pair.from);
  const to = catalogue.instruments.get(pair.to);
  if (!from || !to) throw pairNotActive(pair.from, pair.to);
  const given = catalogue.pairTerms(pair.from, pair.to);
  const fromSide = { decimals: from.decimals, priceUsd: requirePrice(snapshot, from.slug) };
  const toSide = { decimals: to.decimals, priceUsd: requirePrice(snapshot, to.slug) };
  const networkFee = networkFeeOf(catalogue, snapshot, to);
  const terms: QuoteTerms = {
    from: fromSide,
    to: toSide,
    platformFeeBps: (pair.rateMode === "FIXED" ? given.fixedFeeBps : given.floatingFeeBps) + (pair.markupBps ?? 0n),
    spreadBps: given.spreadBps,
    networkFee: toMinor(networkFee),
  };
  const bounds = depositBounds({
    from,
    to,
    rateMode: pair.rateMode,
    fromPriceUsd: fromSide.priceUsd,
    toPriceUsd: toSide.priceUsd,
    networkFee,
  });
  const offers = pair.rateMode === "FLOATING" ? offersFor(snapshot.partners, from.slug, to.slug) : [];
  const sendingFee = offers.length === 0 ? 0n : networkFeeOf(catalogue, snapshot, from);
  const partnerTerms = { from: fromSide, to: toSide, feeBps: terms.platformFeeBps + terms.spreadBps, sendingFee };
  const fromFee = knownNetworkFee(catalogue, snapshot, from);
  return { snapshot, from, to, rateMode: pair.rateMode, terms, fromFee, bounds, offers, partnerTerms, ckm: given.ckm };
}

/** Throws the CodedError that says why no new order of this pair can be had now. */
export function requireOpen(deps: PricingDeps, pair: RatePair): void {
  const [first] = closedReasons(deps, pair);
  if (first !== undefined) throw first;
}

/** Every reason for which no new order of this pair can be had now. */
export function closedReasons(
  { catalogue, isNetworkUp, isQuoteStopped, isRefundOnly }: PricingDeps,
  { from, to, rateMode }: RatePair,
): CodedError[] {
  const reasons = isRefundOnly() ? [refundOnlyNow()] : [];
  const [fromInstrument, toInstrument] = [catalogue.instruments.get(from), catalogue.instruments.get(to)];
  const isOpen =
    fromInstrument !== undefined &&
    toInstrument !== undefined &&
    catalogue.isPairActive(from, to) &&
    isNetworkUp(fromInstrument.networkTitle) &&
    isNetworkUp(toInstrument.networkTitle) &&
    !isQuoteStopped(fromInstrument, "from") &&
    !isQuoteStopped(toInstrument, "to");
  if (!isOpen) reasons.push(pairNotActive(from, to));
  const isTraded = catalogue.isPairActive(from, to);
  if (isTraded && rateMode === "FIXED" && !catalogue.pairTerms(from, to).hasFixedRate) reasons.push(noFixedRate());
  return reasons;
}

function requirePrice(snapshot: PriceSnapshot, slug: string): bigint {
  const price = snapshot.prices.get(slug);
  if (price === undefined) throw noPriceNow();
  return price;
}

/** What paying an instrument out costs, in its own minor units: the fee in the network's coin at the snapshot's prices, rounded up. */
export function networkFeeOf(catalogue: Catalogue, snapshot: PriceSnapshot, instrument: CatalogueInstrument): bigint {
  const fee = knownNetworkFee(catalogue, snapshot, instrument);
  if (fee === null) throw noPriceNow();
  return fee;
}

/** The same; null where a price or the network's fee is missing. */
export function knownNetworkFee(
  catalogue: Pick<Catalogue, "instruments">,
  { fees, prices }: Pick<PriceSnapshot, "fees" | "prices">,
  { networkTitle, slug, decimals }: CatalogueInstrument,
): bigint | null {
  const coin = feeInstrument(catalogue, networkTitle);
  const fee = fees.get(feeKey(networkTitle, slug));
  const [coinPrice, price] = [coin && prices.get(coin.slug), prices.get(slug)];
  if (!coin || fee === undefined || coinPrice == null || price === undefined) return null;
  const exact = divideUp(fee * coinPrice * powerOfTen(decimals), price * powerOfTen(coin.decimals));
  const unit = displayedUnit(decimals);
  return divideUp(exact, unit) * unit;
}

/** A price in USD scaled by 10^18, as a wire decimal. */
export const formatPrice = (usd: bigint): string => formatAmount(usd, PRICE_DECIMALS);
