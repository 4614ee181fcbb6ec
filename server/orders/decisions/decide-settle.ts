import { toMinor } from "#contract/money.ts";
import type { AutoRefund, Command } from "./command.ts";
import { acceptedPayout, brokenBound, fixedCauses, fixedPayout, makeOffer } from "./decide-price.ts";
import { refundWait } from "./decide-refund-hold.ts";
import { routedPayout } from "./decide-route.ts";
import { decided, noDecision, waitFor, type Decision } from "./decision.ts";
import type { DomainEvent, OrderPayout, OrderState } from "./order.ts";

/** All deposits seen so far are confirmed: what becomes of them. */
export function settle(command: Extract<Command, { kind: "settle" }>, state: OrderState): Decision {
  switch (state.kind) {
    case "confirming":
      return settleConfirmed(command, state);
    case "awaiting_choice":
      return renewOffer(command, state);
    case "refund_requested": {
      const held = refundWait(state, command.at);
      if (held !== null) return waitFor(held);
      const amount = command.received - state.networkFee;
      if (amount <= 0n) return waitFor("refund_too_small");
      const refund = {
        to: state.to,
        received: command.received,
        amount: toMinor<"from">(amount),
        networkFee: state.networkFee,
      };
      return decided({ kind: "REFUND_STARTED", data: { refund }, at: command.at });
    }
    case "awaiting_deposit":
    case "expired":
    case "paying":
    case "rerouting":
    case "completed":
    case "refunding":
    case "refunded":
      return noDecision;
  }
}

function settleConfirmed(
  { market, received, lastMinedAt, at }: Extract<Command, { kind: "settle" }>,
  { terms, accepted }: Extract<OrderState, { kind: "confirming" }>,
): Decision {
  const agreed = accepted && acceptedPayout(accepted, received);
  if (agreed) return startPayout(agreed, at);
  // A top-up after an acceptance makes it an ordinary floating order: an old price must not apply to new money.
  if (terms.fixed === null || accepted !== null) {
    const bound = brokenBound(terms, received);
    if (bound !== null) return waitFor(bound);
    const payout = routedPayout(terms, received, market);
    if (payout === "no_provider") return waitFor("no_provider");
    return payout === null ? waitFor("under_minimum") : startPayout(payout, at);
  }
  const causes = fixedCauses(terms, terms.fixed, { received, lastMinedAt }, market);
  if (causes.length === 0) return startPayout(fixedPayout(terms, received), at);
  const changed: DomainEvent = {
    kind: "RATE_MODE_CHANGED",
    data: { offer: makeOffer(terms, received, market, at) },
    at,
  };
  return decided(...causes.map((kind): DomainEvent => ({ kind, data: {}, at })), changed);
}

/** An offer is for one sum: a top-up makes another one. */
function renewOffer(
  { market, received, at }: Extract<Command, { kind: "settle" }>,
  { terms, offer }: Extract<OrderState, { kind: "awaiting_choice" }>,
): Decision {
  const isFor = offer?.received ?? null;
  if (isFor === received) return waitFor("customer_choice");
  const fresh = makeOffer(terms, received, market, at);
  if (fresh === null && offer === null) return waitFor(brokenBound(terms, received) ?? "under_minimum");
  return decided({ kind: "RATE_MODE_CHANGED", data: { offer: fresh }, at });
}

/**
 * A confirmed deposit that waits for the customer is refunded automatically to the address that was set at creation,
 * once the customer has had the whole wait since the last deposit and since the last offer or its end. An order without
 * that address waits on.
 */
export function decideAutoRefund(command: AutoRefund, state: OrderState): Decision {
  const { wait } = settle({ ...command, kind: "settle" }, state);
  const { refund: to } = state.terms;
  if (wait === null) return noDecision;
  const isForCustomer = wait === "customer_choice" || wait === "under_minimum" || wait === "over_maximum";
  if (!isForCustomer || to === null || command.received <= command.networkFee) return waitFor(wait);
  if (command.at < autoRefundAt(command, state)) return waitFor(wait);
  return decided({ kind: "REFUND_REQUESTED", data: { to, networkFee: command.networkFee }, at: command.at });
}

/** When the time to choose ends and the deposit is refunded automatically. */
export function autoRefundAt(
  { lastDepositAt, autoRefundSeconds }: Pick<AutoRefund, "lastDepositAt" | "autoRefundSeconds">,
  state: OrderState,
): Date {
  const offeredAt = lastOfferedAt(state) ?? lastDepositAt;
  const since = offeredAt > lastDepositAt ? offeredAt : lastDepositAt;
  return new Date(since.getTime() + autoRefundSeconds * 1000);
}

/**
 * When the customer was last sent an offer or its end; one that was accepted counts too, since a reorganisation can
 * leave it without its deposit.
 */
function lastOfferedAt(state: OrderState): Date | undefined {
  if (state.kind === "awaiting_choice") return state.offeredAt ?? state.offer?.at;
  return state.kind === "confirming" ? state.accepted?.at : undefined;
}

const startPayout = (payout: OrderPayout, at: Date): Decision =>
  decided({ kind: "FUNDS_WITHDRAWAL_START", data: { payout }, at });
