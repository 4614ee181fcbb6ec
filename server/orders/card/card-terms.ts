import { toMinor } from "#contract/money.ts";
import type { Clock } from "../../base/clock.ts";
import type { CardProvider, OpenedCard, PricedCard } from "../../card/port.ts";
import type { Catalogue } from "../../catalogue/index.ts";
import type { Rates } from "../../rates/port.ts";
import { decide } from "../decisions/decide.ts";
import { evolve } from "../decisions/evolve.ts";
import type { OrderState, OrderTerms, Recipient } from "../decisions/order.ts";
import { unavailable } from "./provider-user.ts";

type StateParts = {
  clock: Clock;
  catalogue: Pick<Catalogue, "terms">;
  rates: Pick<Rates, "priceUsd">;
  cardProvider: Pick<CardProvider, "code">;
};

/** What the provider has opened and was asked for. */
type TermsParts = {
  opened: OpenedCard;
  priced: PricedCard;
  destination: Recipient;
  refund: Recipient | null;
  amountFrom: bigint;
  from: { slug: string; networkTitle: string; decimals: number; confirmations: number };
  to: { slug: string; networkTitle: string; decimals: number };
};

/** The first state of an order, with the terms that it keeps for life; throws while a price is missing. */
export function createdState(parts: StateParts, given: TermsParts): OrderState {
  const { opened, priced, from, to } = given;
  const at = parts.clock.now();
  const side = ({ slug, networkTitle, decimals }: TermsParts["to"]) => ({ slug, networkTitle, decimals });
  const priceUsd = (slug: string) => {
    const price = parts.rates.priceUsd(slug);
    if (price === null) throw unavailable();
    return toMinor<"usd">(price);
  };
  const terms: OrderTerms = {
    rateMode: "FLOATING",
    from: side(from),
    to: side(to),
    destination: given.destination,
    refund: given.refund,
    deposit: opened.deposit ?? { address: "", memo: null },
    claimedDepositAmount: toMinor(given.amountFrom),
    quoted: {
      amountTo: toMinor(priced.quote.amountTo),
      price: priced.price,
      platformFee: toMinor(priced.platformFee),
      networkFee: toMinor(priced.networkFee),
      market: { fromPriceUsd: priceUsd(from.slug), toPriceUsd: priceUsd(to.slug) },
    },
    floatingFeeBps: toMinor(0n),
    spreadBps: toMinor(0n),
    minAmount: toMinor(priced.limits.min),
    maxAmount: priced.limits.max === null ? null : toMinor(priced.limits.max),
    requiredConfirmations: from.confirmations,
    createdAt: at,
    fixed: null,
    unpaidUntil: new Date(at.getTime() + parts.catalogue.terms.unpaidExpiresAfter * 1000),
    card: {
      provider: parts.cardProvider.code,
      direction: priced.pair.direction,
      reference: opened.reference,
      redirectUrl: opened.redirectUrl,
      fees: feesOf(priced.quote),
    },
  };
  const state = decide({ kind: "create", terms, at }, null).events.reduce<OrderState | null>(evolve, null);
  if (state === null) throw new Error("creation appended no event");
  return state;
}

const feesOf = ({ fees: { processing, platform, network }, marketValue }: PricedCard["quote"]) => ({
  processing: toMinor<"fiat">(processing),
  platform: toMinor<"fiat">(platform),
  network: toMinor<"fiat">(network),
  marketValue: toMinor<"fiat">(marketValue),
});
