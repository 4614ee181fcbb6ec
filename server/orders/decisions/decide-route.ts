import { toMinor, type Minor } from "#contract/money.ts";
import { bestQuote, OWN_LIQUIDITY, partnerQuote, type PartnerQuote } from "../../rates/quote.ts";
import { floatingPayout, type MarketNow, type Routes } from "./decide-price.ts";
import type { OrderPayout, OrderTerms } from "./order.ts";

/**
 * What a floating order is paid, and by whom. An order that the treasury quoted stays with it. One that was quoted by a partner stays
 * with that partner while it quotes; then the best of the others takes it, and last the treasury, whose payment waits
 * for a sufficient balance. Null where the fees exceed the deposit.
 */
export function routedPayout(
  terms: OrderTerms,
  received: Minor<"from">,
  market: MarketNow,
  failed: readonly string[] = [],
): OrderPayout | "no_provider" | null {
  const { routes } = market;
  const quotedBy = terms.provider ?? OWN_LIQUIDITY;
  if (quotedBy === OWN_LIQUIDITY || routes === undefined) return floatingPayout(terms, received, market);
  const ask = { side: "from", amount: received } as const;
  const made = routes.offers
    .filter(({ partner }) => !failed.includes(partner))
    .flatMap((offer) => partnerQuote(partnerTerms(terms, market, routes), offer, ask) ?? []);
  const sameProvider = made.find(({ partner }) => partner === quotedBy);
  if (sameProvider !== undefined) return payoutOf(received, sameProvider);
  const fromTreasury = routes.ownBalance === null ? null : floatingPayout(terms, received, market);
  const isReady = fromTreasury !== null && routes.ownBalance !== null && fromTreasury.amount <= routes.ownBalance;
  const other = bestQuote(made, ask);
  if (other !== null && !(isReady && fromTreasury.amount >= other.quote.amountTo)) return payoutOf(received, other);
  return fromTreasury ?? (routes.ownBalance === null ? "no_provider" : null);
}

const partnerTerms = (terms: OrderTerms, market: MarketNow, { sendingFee }: Routes) => ({
  from: { decimals: terms.from.decimals, priceUsd: market.fromPriceUsd },
  to: { decimals: terms.to.decimals, priceUsd: market.toPriceUsd },
  feeBps: terms.floatingFeeBps + terms.spreadBps,
  sendingFee,
});

function payoutOf(received: Minor<"from">, { partner, quote, funding }: PartnerQuote): OrderPayout {
  const { amountTo, gross, platformFee, networkFee, price } = quote;
  return { received, amount: amountTo, gross, platformFee, networkFee, price, partner: { code: partner, funding } };
}

/** A payout as it was delivered: the amount of a partner may differ from its quote, and one that was made already from what was decided later. */
export const deliveredPayout = (payout: OrderPayout, amount: Minor<"to">): OrderPayout => ({
  ...payout,
  amount,
  gross: toMinor(amount + payout.platformFee + payout.networkFee),
});
