import { toMinor, type Minor } from "#contract/money.ts";
import { deliveredPayout } from "./decide-route.ts";
import type { DomainEvent, OrderRefund, OrderState } from "./order.ts";

/**
 * What an event makes of an order. It checks nothing: whatever decide() returned is applied, and an event that
 * can't follow its state is a defect and throws.
 */
export function evolve(state: OrderState | null, event: DomainEvent): OrderState {
  if (event.kind === "CREATION_END") {
    if (state !== null) throw impossible(state, event);
    return { kind: "awaiting_deposit", terms: event.data.terms, deposits: [] };
  }
  if (state === null) throw impossible(state, event);
  const { terms, deposits } = state;
  switch (event.kind) {
    case "DEPOSIT_REGISTERED": {
      const registered = [...deposits, event.data.deposit];
      return state.kind === "awaiting_deposit"
        ? { kind: "confirming", terms, deposits: registered, accepted: null }
        : { ...state, deposits: registered };
    }
    case "INCOMING_FUNDS_DETECTED":
    case "FIXED_RATE_HIGH_VOLATILITY_DETECTED":
    case "FIXED_RATE_SLOW_DEPOSIT_DETECTED":
    case "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED":
      return state;
    case "RATE_MODE_CHANGED":
      return {
        kind: "awaiting_choice",
        terms,
        deposits,
        offer: event.data.offer,
        offeredAt: event.data.offer?.at ?? event.at,
      };
    case "RATE_MODE_CHANGE_ACCEPTED":
      return { kind: "confirming", terms, deposits, accepted: event.data.offer };
    case "FUNDS_WITHDRAWAL_START":
      if (state.kind !== "confirming") throw impossible(state, event);
      return { kind: "paying", terms, deposits, payout: event.data.payout, accepted: state.accepted };
    case "EXPIRED":
      if (!MAY_EXPIRE.has(state.kind)) throw impossible(state, event);
      return { kind: "expired", terms, deposits, ...event.data };
    case "WITHDRAWAL_COMPLETED":
      if (state.kind !== "paying") throw impossible(state, event);
      return {
        kind: "completed",
        terms,
        deposits,
        payout: event.data.delivered === undefined ? state.payout : deliveredPayout(state.payout, event.data.delivered),
        accepted: state.accepted,
        market: event.data.market,
        ...(terms.card !== undefined && { txId: event.data.txId }),
      };
    case "PROVIDER_FAILED":
      if (state.kind !== "paying") throw impossible(state, event);
      return {
        kind: "rerouting",
        terms,
        deposits,
        payout: state.payout,
        failed: [...(state.failed ?? []), event.data.partner],
      };
    case "PROVIDER_CHANGED":
      if (state.kind !== "rerouting") throw impossible(state, event);
      return {
        kind: "paying",
        terms,
        deposits,
        payout: event.data.payout,
        accepted: null,
        failed: state.failed,
      };
    case "PAYMENT_CORRECTED":
      if (event.data.purpose === "payout" && (state.kind === "paying" || state.kind === "completed"))
        return { ...state, payout: deliveredPayout(state.payout, event.data.amount) };
      if (event.data.purpose === "refund" && (state.kind === "refunding" || state.kind === "refunded"))
        return { ...state, refund: paidRefund(state.refund, event.data.amount) };
      throw impossible(state, event);
    case "REFUND_REQUESTED":
      return { kind: "refund_requested", terms, deposits, ...event.data };
    case "REFUND_DELAYED":
      if (state.kind !== "refund_requested") throw impossible(state, event);
      return { ...state, heldUntil: event.data.heldUntil };
    case "REFUND_STOPPED":
      if (state.kind !== "refund_requested") throw impossible(state, event);
      return { ...state, isStopped: true };
    case "REFUND_RELEASED":
      if (state.kind !== "refund_requested") throw impossible(state, event);
      return { kind: "refund_requested", terms, deposits, to: event.data.to, networkFee: state.networkFee };
    case "REFUND_STARTED":
      return { kind: "refunding", terms, deposits, refund: event.data.refund };
    case "REFUND_COMPLETED":
      if (state.kind !== "refunding") throw impossible(state, event);
      return { ...state, kind: "refunded", market: event.data.market };
  }
}

/** Before a deposit, and after all of them were sent back. */
const MAY_EXPIRE: ReadonlySet<OrderState["kind"]> = new Set([
  "awaiting_deposit",
  "confirming",
  "awaiting_choice",
  "refund_requested",
]);

/** What arrived is what came in less the fee that was charged. */
const paidRefund = (refund: OrderRefund, amount: Minor<"from">): OrderRefund => ({
  ...refund,
  amount,
  networkFee: toMinor(refund.received - amount),
});

const impossible = (state: OrderState | null, event: DomainEvent): Error =>
  new Error(`${event.kind} can't follow ${state?.kind ?? "nothing"}`);
