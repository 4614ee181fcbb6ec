import { toMinor, type Minor } from "#contract/money.ts";
import { best, HOUSE, partnerQuote, type PartnerQuote } from "../liquidity/quote.ts";
import { floatingPayout, type MarketNow, type Routes } from "./decide-price.ts";
import type { OrderPayout, OrderTerms } from "./order.ts";

/**
 * What a floating order is paid, and by whom. An order that was quoted by the house stays with it. One that was quoted by a partner stays
 * with that partner while it quotes; then the best of the others takes it, and last the house, whose payment waits for its stock.
 * Null where the fees eat the deposit.
 */
export function routedPayout(
  terms: OrderTerms,
  received: Minor<"give">,
  market: MarketNow,
  failed: readonly string[] = [],
): OrderPayout | "no_provider" | null {
  const { routes } = market;
  const own = terms.provider ?? HOUSE;
  if (own === HOUSE || routes === undefined) return floatingPayout(terms, received, market);
  const ask = { side: "give", amount: received } as const;
  const made = routes.offers
    .filter(({ partner }) => !failed.includes(partner))
    .flatMap((offer) => partnerQuote(partnerTerms(terms, market, routes), offer, ask) ?? []);
  const kept = made.find(({ partner }) => partner === own);
  if (kept !== undefined) return payoutOf(received, kept);
  const house = routes.houseMost === null ? null : floatingPayout(terms, received, market);
  const isReady = house !== null && routes.houseMost !== null && house.amount <= routes.houseMost;
  const other = best(made, ask);
  if (other !== null && !(isReady && house.amount >= other.quote.get)) return payoutOf(received, other);
  return house ?? (routes.houseMost === null ? "no_provider" : null);
}

const partnerTerms = (terms: OrderTerms, market: MarketNow, { sendingFee }: Routes) => ({
  give: { decimals: terms.give.decimals, priceUsd: market.givePriceUsd },
  get: { decimals: terms.get.decimals, priceUsd: market.getPriceUsd },
  feeBps: terms.floatingFeeBps + terms.spreadBps,
  sendingFee,
});

function payoutOf(received: Minor<"give">, { partner, quote, funding }: PartnerQuote): OrderPayout {
  const { get, gross, platformFee, networkFee, price } = quote;
  return { received, amount: get, gross, platformFee, networkFee, price, partner: { code: partner, funding } };
}

/** A payout as it was in the end: a partner delivers what it delivers. */
export const deliveredPayout = (payout: OrderPayout, amount: Minor<"get">): OrderPayout => ({
  ...payout,
  amount,
  gross: toMinor(amount + payout.platformFee + payout.networkFee),
});
