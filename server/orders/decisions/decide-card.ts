import type { CardState } from "#contract/card.ts";
import { CodedError } from "#contract/errors.ts";
import { divideDown, toMinor, WHOLE_BPS, type Minor } from "#contract/money.ts";
import type { DomainEvent, OrderPayout, OrderState, OrderTerms } from "./order.ts";

/**
 * What the card provider says of an order, by a callback or when asked. `paid` and `delivered` are null where it doesn't say. `market`
 * is null where there are no prices.
 */
export type CardNewsCommand = {
  kind: "card_news";
  state: CardState;
  paid: Minor<"from"> | null;
  delivered: Minor<"to"> | null;
  txId: string | null;
  market: { fromPriceUsd: Minor<"usd">; toPriceUsd: Minor<"usd"> } | null;
  at: Date;
};

/**
 * Why a card order needs its provider: it was paid after its end, what was paid or delivered is not what was quoted, or it failed with
 * the money at the provider.
 */
export type CardWait = "card_late" | "card_amounts" | "card_failed";
export type CardDecision = { events: DomainEvent[]; wait: CardWait | null };

/** What coins are sent may differ from what was asked for by this much, as everywhere (contract §3). */
const COIN_DUST_BPS = 50n;
/** What arrives may be less than quoted by this much: the rate floats (contract §2). */
const DELIVERY_BPS = 200n;

const nothing: CardDecision = { events: [], wait: null };

/** How far a state has come: 0 opened, 1 paid, 2 sending, 3 over. */
const REACHED: Record<OrderState["kind"], 0 | 1 | 2 | 3> = {
  awaiting_deposit: 0,
  confirming: 1,
  awaiting_choice: 1,
  refund_requested: 1,
  paying: 2,
  rerouting: 2,
  refunding: 2,
  completed: 3,
  refunded: 3,
  expired: 3,
};
const NEXT: Partial<Record<CardState, 1 | 2 | 3>> = { paid: 1, sending: 2, done: 3 };

/** Whether a card provider carries the order out (contract §11). */
export const isCardOrder = ({ terms }: OrderState): boolean => terms.card !== undefined;

/** The refusal of what only the provider of a card order can do. */
export const carriedOutByProvider = (): CodedError =>
  new CodedError("ERR_UNPROCESSABLE_ENTITY", "The card provider carries this order out: its support can change it");

/** The events that the provider's states mean (contract §11). A state never goes back, and what is known already decides nothing. */
export function decideCardNews(news: CardNewsCommand, state: OrderState): CardDecision {
  if (!isCardOrder(state)) throw carriedOutByProvider();
  const reached = REACHED[state.kind];
  const target = NEXT[news.state];
  if (reached === 3) return { events: [], wait: state.kind === "expired" && target !== undefined ? "card_late" : null };
  if (target !== undefined) return target <= reached ? nothing : goOn(news, state, target);
  if (news.state === "opened") return nothing;
  if (news.state === "refunded" || (news.state === "cancelled" && reached > 0)) return refundByProvider(news, state);
  if (reached === 0) return { events: [endedUnpaid(news)], wait: null };
  return { events: [], wait: "card_failed" };
}

const endedUnpaid = ({ state, at }: CardNewsCommand): DomainEvent => ({
  kind: "EXPIRED",
  data: state === "failed" ? { isDeclined: true } : {},
  at,
});

function goOn(news: CardNewsCommand, state: OrderState, target: 1 | 2 | 3): CardDecision {
  const { terms } = state;
  const { at } = news;
  const reached = REACHED[state.kind];
  const events = reached === 0 ? paidEvents(news, terms) : [];
  const received = receivedOf(news, state);
  if (reached < 2 && target >= 2)
    events.push({ kind: "FUNDS_WITHDRAWAL_START", data: { payout: payoutOf(terms, received) }, at });
  const delivered = news.delivered ?? terms.quoted.amountTo;
  if (target === 3)
    events.push({
      kind: "WITHDRAWAL_COMPLETED",
      // What is paid to a card has no transaction: the one of a sale is its deposit's.
      data: {
        txId: (terms.card?.direction === "buy" ? news.txId : null) ?? "",
        delivered,
        ...(news.market !== null && { market: news.market }),
      },
      at,
    });
  const differs = target === 3 ? areCardAmountsOff(terms, received, delivered) : differsFromClaim(terms, received);
  return { events, wait: differs ? "card_amounts" : null };
}

/** The provider returns the money itself: to the card, or the coins to where they came from. */
function refundByProvider(news: CardNewsCommand, state: OrderState): CardDecision {
  const { terms } = state;
  const { at } = news;
  const received = receivedOf(news, state);
  const to = terms.refund ?? { address: "", memo: null };
  const networkFee = toMinor<"from">(0n);
  const refund = { to, received, amount: received, networkFee };
  return {
    events: [
      ...(REACHED[state.kind] === 0 ? paidEvents(news, terms) : []),
      { kind: "REFUND_REQUESTED", data: { to, networkFee }, at },
      { kind: "REFUND_STARTED", data: { refund }, at },
      { kind: "REFUND_COMPLETED", data: { txId: news.txId ?? "", ...(news.market && { market: news.market }) }, at },
    ],
    wait: null,
  };
}

function paidEvents(news: CardNewsCommand, terms: OrderTerms): DomainEvent[] {
  const key = (terms.card?.direction === "sell" ? news.txId : null) ?? terms.card?.reference ?? "";
  const deposit = { key, amount: news.paid ?? terms.claimedDepositAmount };
  return [
    { kind: "DEPOSIT_REGISTERED", data: { deposit }, at: news.at },
    { kind: "INCOMING_FUNDS_DETECTED", data: {}, at: news.at },
  ];
}

const receivedOf = (news: CardNewsCommand, { terms, deposits }: OrderState): Minor<"from"> =>
  deposits.length > 0
    ? toMinor(deposits.reduce((sum, { amount }) => sum + amount, 0n))
    : (news.paid ?? terms.claimedDepositAmount);

/** Less than was claimed earns the fee of as much; more is not known to be ours. */
function payoutOf({ quoted, claimedDepositAmount: claimed }: OrderTerms, received: Minor<"from">): OrderPayout {
  const { networkFee, price } = quoted;
  const share = <Unit extends string>(amount: Minor<Unit>): Minor<Unit> =>
    received < claimed ? toMinor(divideDown(amount * received, claimed)) : amount;
  const [amount, platformFee] = [share(quoted.amountTo), share(quoted.platformFee)];
  return { received, amount, gross: toMinor(amount + platformFee + networkFee), platformFee, networkFee, price };
}

/** Whether what was paid or delivered is not what was quoted: until its provider explains it, nothing else may rest on the order. */
export const areCardAmountsOff = (terms: OrderTerms, received: bigint, delivered: bigint): boolean =>
  differsFromClaim(terms, received) || isTooLittle(terms, received, delivered);

/** A card is charged exactly; coins come within the dust bound. */
function differsFromClaim({ card, claimedDepositAmount: claimed }: OrderTerms, received: bigint): boolean {
  const allowed = card?.direction === "sell" ? divideDown(claimed * COIN_DUST_BPS, WHOLE_BPS) : 0n;
  return received > claimed + allowed || received < claimed - allowed;
}

/** For what was paid, not for what was asked for. */
function isTooLittle({ quoted, claimedDepositAmount }: OrderTerms, received: bigint, delivered: bigint): boolean {
  const expected = divideDown(quoted.amountTo * received, claimedDepositAmount);
  return delivered < divideDown(expected * (WHOLE_BPS - DELIVERY_BPS), WHOLE_BPS);
}
