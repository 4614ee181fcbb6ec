import { CodedError } from "#contract/errors.ts";
import { divideUp, minOf, parseAmount, powerOfTen, toMinor, type Minor } from "#contract/money.ts";
import type { SandboxOutcome } from "#contract/partner-api.ts";
import type { Log } from "../../base/logging/log.ts";
import { PRICE_DECIMALS, requireInstrument, type Catalogue, type CatalogueInstrument } from "../../catalogue/index.ts";
import { nullWithoutPrice, type PricedClaim, type Rates } from "../../rates/port.ts";
import { REHEARSAL_PARTNER } from "../decisions/decide-rehearsal.ts";
import type { OrderTerms, Recipient } from "../decisions/order.ts";

type TermsParts = {
  from: CatalogueInstrument;
  to: CatalogueInstrument;
  claimedDepositAmount: Minor<"from">;
  destination: Recipient;
  refund: Recipient | null;
  deposit: Recipient;
  priced: PricedClaim;
  rateMode: OrderTerms["rateMode"];
  /** Absent where no partner made it. */
  markupBps: bigint | undefined;
  rehearsal: SandboxOutcome | undefined;
  at: Date;
};

/** The snapshot of catalogue and prices that the order keeps for life (engine law 12). */
export function termsOf(catalogue: Catalogue, parts: TermsParts): OrderTerms {
  const { from, to, priced, markupBps, rehearsal, at } = parts;
  const provider = rehearsal === "partner-fails" ? REHEARSAL_PARTNER : priced.provider;
  const { rateLockSeconds, volatilityBps, dustBps, offerValidSeconds, offerToleranceBps } = catalogue.terms;
  const pair = catalogue.pairTerms(from.slug, to.slug);
  const expiresAt = new Date(at.getTime() + rateLockSeconds * 1000);
  const isFixed = parts.rateMode === "FIXED";
  const payableUntil = isFixed ? expiresAt : at;
  const fromPriceUsd = priceOn(priced, from);
  return {
    rateMode: parts.rateMode,
    from: { slug: from.slug, networkTitle: from.networkTitle, decimals: from.decimals },
    to: { slug: to.slug, networkTitle: to.networkTitle, decimals: to.decimals },
    destination: parts.destination,
    refund: parts.refund,
    deposit: parts.deposit,
    claimedDepositAmount: parts.claimedDepositAmount,
    quoted: {
      amountTo: priced.quote.amountTo,
      price: priced.quote.price,
      platformFee: priced.quote.platformFee,
      networkFee: priced.quote.networkFee,
      market: { fromPriceUsd, toPriceUsd: priceOn(priced, to) },
    },
    // Whatever the order ends as, its customer was quoted with the markup.
    floatingFeeBps: toMinor(pair.floatingFeeBps + (markupBps ?? 0n)),
    spreadBps: toMinor(pair.spreadBps),
    minAmount: priced.bounds.min,
    maxAmount: priced.bounds.max,
    requiredConfirmations: from.confirmations,
    createdAt: at,
    fixed: isFixed
      ? {
          expiresAt,
          volatilityBps: toMinor(volatilityBps),
          dustBps: toMinor(dustBps),
          lateBps: toMinor(pair.fixedFeeBps + pair.spreadBps),
        }
      : null,
    minDeposit: minOf(strayMinimum(catalogue, from, fromPriceUsd), priced.bounds.min),
    offer: { validSeconds: offerValidSeconds, toleranceBps: toMinor(offerToleranceBps) },
    unpaidUntil: new Date(payableUntil.getTime() + catalogue.terms.unpaidExpiresAfter * 1000),
    ...(provider !== undefined && { provider }),
    ...(markupBps !== undefined && { markupBps: toMinor<"usd">(markupBps) }),
    ...(rehearsal !== undefined && { rehearsal }),
  };
}

/** The smallest deposit that counts, in minor units: under it an unknown sender could delay an order at no cost (contract §3). */
function strayMinimum(catalogue: Catalogue, { decimals }: CatalogueInstrument, priceUsd: bigint): Minor<"from"> {
  const usd = parseAmount(catalogue.terms.strayMinUsd, PRICE_DECIMALS);
  if (usd === null) throw new RangeError(`a limit in USD has too many decimals: ${catalogue.terms.strayMinUsd}`);
  return toMinor(divideUp(usd * powerOfTen(decimals), priceUsd));
}

type SmallestParts = { catalogue: Catalogue; rates: Pick<Rates, "snapshot">; log: Log };

/** The same for a coin that arrives at another coin's order; null while nobody knows what it is worth. */
export function smallestDeposit({ catalogue, rates, log }: SmallestParts, slug: string): bigint | null {
  const price = nullWithoutPrice(() => rates.snapshot(), log)?.prices.get(slug);
  return price === undefined ? null : strayMinimum(catalogue, requireInstrument(catalogue, slug), price);
}

function priceOn(priced: PricedClaim, instrument: CatalogueInstrument): Minor<"usd"> {
  const price = priced.snapshot.prices.get(instrument.slug);
  if (price === undefined)
    throw new CodedError("ERR_SERVICE_UNAVAILABLE", "There is no price now", { retryAfterSeconds: 5 });
  return toMinor(price);
}
