import { CodedError } from "#contract/errors.ts";
import { formatAmount, type Minor } from "#contract/money.ts";
import { acceptableOffer, acceptedPayout, differsFromClaim, makeOffer, type MarketNow } from "./decide-price.ts";
import { refundHeldUntil } from "./decide-refund-hold.ts";
import { deliveredPayout } from "./decide-route.ts";
import type { DomainEvent, OrderState, Recipient } from "./order.ts";

/** The refund that the customer's page displayed: compared, never paid (engine law 12). */
type ClaimedRefund = { amount: Minor<"from">; networkFee: Minor<"from"> };

/** What a customer asks to get back. */
export type RefundRequest = {
  to: Recipient;
  claimed: ClaimedRefund;
  received: Minor<"from">;
  networkFee: Minor<"from">;
  /** How long a refund to an address that was not given at creation waits: 0 where nobody can be notified of it. */
  refundDelaySeconds: number;
  at: Date;
};
/** What an operator sends back where the customer has not chosen; `to` is null where the order has a refund address. */
export type UndecidedRefund = Pick<RefundRequest, "received" | "networkFee" | "refundDelaySeconds" | "at"> & {
  to: Recipient | null;
};
/** `isMined`: every deposit that counts is in a block. */
type Acceptance = { received: Minor<"from">; isMined: boolean; market: MarketNow; at: Date };

const refuse = (message: string, data?: Record<string, unknown>) =>
  new CodedError("ERR_UNPROCESSABLE_ENTITY", message, data === undefined ? {} : { data });

const isSameRecipient = (one: Recipient, other: Recipient): boolean =>
  one.address === other.address && one.memo === other.memo;

/**
 * The customer requests a refund: at any time between the first deposit and the start of the payout. The address that was set at
 * creation is never replaced, and the same request again decides nothing (contract §3).
 */
export function decideRefundRequest(
  { to, claimed, received, networkFee, refundDelaySeconds, at }: RefundRequest,
  state: OrderState,
): DomainEvent[] {
  const { terms } = state;
  if (state.kind === "refund_requested" || state.kind === "refunding" || state.kind === "refunded") {
    const asked = state.kind === "refund_requested" ? state.to : state.refund.to;
    if (isSameRecipient(asked, to)) return [];
    throw refuse("A refund to another address was asked for already");
  }
  if (state.kind === "awaiting_deposit") throw refuse("There is no deposit to refund yet");
  if (state.kind === "expired")
    throw refuse("The order has expired: what arrived after that is returned by an operator");
  if (state.kind === "paying" || state.kind === "completed") throw refuse("The payout has begun already");
  // An acceptance binds for its own sum: once a top-up has changed it, the customer may choose again.
  if (state.kind === "confirming" && state.accepted?.received === received)
    throw refuse("The new rate was accepted already");
  if (terms.refund !== null && !isSameRecipient(terms.refund, to))
    throw refuse("The refund address of this order can't be replaced");
  if (terms.refund === null && isSameRecipient(terms.destination, to)) {
    throw new CodedError("ERR_VALIDATION", "The refund address must differ from the destination", {
      data: { refundAddress: "error_address_must_be_different" },
    });
  }
  const fresh = {
    refundAmountWithoutNetworkFee: formatAmount(
      received > networkFee ? received - networkFee : 0n,
      terms.from.decimals,
    ),
    networkFee: formatAmount(networkFee, terms.from.decimals),
  };
  if (received <= networkFee) throw refuse("The network fee is higher than the deposit", fresh);
  if (differsFromClaim(received - networkFee, claimed.amount) || differsFromClaim(networkFee, claimed.networkFee)) {
    throw refuse("The refund has changed since it was quoted", fresh);
  }
  const heldUntil = refundHeldUntil(state, at, refundDelaySeconds);
  return [{ kind: "REFUND_REQUESTED", data: { to, networkFee, ...(heldUntil && { heldUntil }) }, at }];
}

/**
 * An operator sends back what its customer has not decided about, to the order's refund address, which is never replaced, or else to `to`.
 * Nothing where the customer has chosen meanwhile, or the network fee is higher than the deposit.
 */
export function decideUndecidedRefund(
  { to: named, received, networkFee, refundDelaySeconds, at }: UndecidedRefund,
  state: OrderState,
): DomainEvent[] {
  const isUndecided =
    state.kind === "awaiting_choice" || (state.kind === "confirming" && state.accepted?.received !== received);
  const to = state.terms.refund ?? named;
  if (!isUndecided || to === null || received <= networkFee) return [];
  const heldUntil = refundHeldUntil(state, at, refundDelaySeconds);
  return [{ kind: "REFUND_REQUESTED", data: { to, networkFee, ...(heldUntil && { heldUntil }) }, at }];
}

/**
 * The customer accepts the offer on record. Where it has ended, was for another sum, or the market has fallen below it, a fresh offer
 * follows instead of an acceptance; accepting again decides nothing (contract §3). A deposit in no block could still be withdrawn, so it binds nobody (law 13).
 */
export function decideAccept({ received, isMined, market, at }: Acceptance, state: OrderState): DomainEvent[] {
  const { terms } = state;
  if ("accepted" in state && state.accepted !== null) return [];
  if (state.kind !== "awaiting_choice") throw refuse("This order has no new rate to accept");
  if (!isMined) throw refuse("The deposit is in no block yet: accept the rate as soon as it is");
  const { offer } = state;
  const agreed = offer?.received === received ? acceptableOffer(terms, offer, market, at) : null;
  if (agreed !== null) return [{ kind: "RATE_MODE_CHANGE_ACCEPTED", data: { offer: agreed }, at }];
  const fresh = makeOffer(terms, received, market, at);
  if (fresh === null && offer === null)
    throw refuse("The floating rate can't take this sum: add to it or ask for a refund");
  return [{ kind: "RATE_MODE_CHANGED", data: { offer: fresh }, at }];
}

/**
 * The offer on record, whether it has ended or not: it was paid already, by us, with what the chain shows. Nothing where there is none for this
 * sum.
 */
export function decidePaidOffer(
  { received, paid, at }: { received: Minor<"from">; paid: Minor<"to">; at: Date },
  state: OrderState,
): DomainEvent[] {
  if (state.kind !== "awaiting_choice" || state.offer === null) return [];
  const agreed = acceptedPayout(state.offer, received);
  if (agreed === null) return [];
  const { partner: _, ...payout } = deliveredPayout(agreed, paid);
  return [
    { kind: "RATE_MODE_CHANGE_ACCEPTED", data: { offer: state.offer }, at },
    { kind: "FUNDS_WITHDRAWAL_START", data: { payout }, at },
  ];
}
