import { DAY_MS } from "#contract/durations.ts";
import { CodedError } from "#contract/errors.ts";
import { toMinor } from "#contract/money.ts";
import type { Command } from "./command.ts";
import { carriedOutByProvider, decideCardNews, isCardOrder } from "./decide-card.ts";
import { decideAccept, decidePaidOffer, decideRefundRequest, decideUndecidedRefund } from "./decide-choice.ts";
import { isComplete, isTooSmall, makeOffer, type MarketNow } from "./decide-price.ts";
import { decideDelay, decideRelease, decideStop } from "./decide-refund-hold.ts";
import { routedPayout } from "./decide-route.ts";
import { decideAutoRefund, settle } from "./decide-settle.ts";
import { decided, noDecision, waitFor, type Decision } from "./decision.ts";
import type { DomainEvent, OrderState, OrderTerms, Recipient } from "./order.ts";

/** A deposit that no block and no mempool has shown for so long is no deposit any more. */
export const GONE_AFTER_MS = DAY_MS;

/**
 * Every rule of an order's lifecycle (spec §4, contract §3). Pure: time and prices arrive in the command.
 * A command that a state doesn't take throws a CodedError and changes nothing; a repeated one decides nothing.
 */
export function decide(command: Command, state: OrderState | null): Decision {
  if (command.kind === "create") {
    if (state !== null) throw new CodedError("ERR_PRISMA_CLIENT_KNOWN_REQUEST", "The order already exists");
    return decided({ kind: "CREATION_END", data: { terms: command.terms }, at: command.at });
  }
  if (state === null) throw new CodedError("ERR_NOT_FOUND_E", "Order not found");
  if (isCardOrder(state) && command.kind !== "card_news" && command.kind !== "expire") return decideBesideCard(command);
  switch (command.kind) {
    case "card_news":
      return decideCardNews(command, state);
    case "see_deposit":
      return seeDeposit(command, state);
    case "expire":
      return expire(command, state);
    case "settle":
      return settle(command, state);
    case "complete_payment":
      return complete(command, state);
    case "provider_failed":
      return providerFailed(command, state);
    case "reroute":
      return reroute(command, state);
    case "refund_instead":
      return refundInstead(command, state);
    case "correct_payment":
      return correctPayment(command, state);
    case "request_refund":
      return decided(...decideRefundRequest(command, state));
    case "stop_refund":
      return { events: decideStop(command, state), wait: "refund_stopped" };
    case "delay_refund":
      return decided(...decideDelay(command, state));
    case "release_refund":
      return decided(...decideRelease(command, state));
    case "refund_undecided":
      return decided(...decideUndecidedRefund(command, state));
    case "accept_rate_mode_change":
      return decided(...decideAccept(command, state));
    case "accept_paid_offer":
      return decided(...decidePaidOffer(command, state));
    case "auto_refund":
      return decideAutoRefund(command, state);
  }
}

/** A card order's money is with its provider: nothing of ours moves it, and nothing of its customer's either. */
function decideBesideCard({ kind }: Command): Decision {
  const isCustomers =
    kind === "request_refund" ||
    kind === "stop_refund" ||
    kind === "release_refund" ||
    kind === "accept_rate_mode_change" ||
    kind === "refund_instead";
  if (isCustomers) throw carriedOutByProvider();
  return noDecision;
}

/** True when a further deposit settles nothing any more: it is refunded or reviewed (contract §3). */
export const isSettled = (state: OrderState): boolean =>
  state.kind === "expired" ||
  state.kind === "paying" ||
  state.kind === "rerouting" ||
  state.kind === "completed" ||
  state.kind === "refunding" ||
  state.kind === "refunded";

/**
 * True when a further deposit counts for nothing: the claimed amount of a fixed rate is complete, or the customer has accepted a price
 * for what stands. Whoever could still add to it could choose between two prices later (contract §3, engine law 13).
 */
export function isClosed(state: OrderState, standing: bigint): boolean {
  if (state.kind === "confirming" && state.accepted !== null) return standing >= state.accepted.received;
  return isComplete(state.terms, standing);
}

/** Where late deposits are refunded automatically; null where an operator has to decide. */
export function refundRecipient(state: OrderState): Recipient | null {
  if (state.kind === "refunding" || state.kind === "refunded") return state.refund.to;
  return state.kind === "refund_requested" ? state.to : state.terms.refund;
}

function seeDeposit(command: Extract<Command, { kind: "see_deposit" }>, state: OrderState): Decision {
  const { deposit, standing, at, now = at } = command;
  const { terms } = state;
  if (isSettled(state) || state.deposits.some((known) => known.key === deposit.key)) return noDecision;
  if (isTooSmall(terms, deposit.amount) || isClosed(state, standing)) return noDecision;
  const seen: DomainEvent[] = [{ kind: "DEPOSIT_REGISTERED", data: { deposit }, at }];
  if (state.kind === "awaiting_deposit") seen.push({ kind: "INCOMING_FUNDS_DETECTED", data: {}, at });
  // The sum that completes the claimed amount must be timely, not the first part of it; the order is floating from here on (law 12).
  const keepsRate = state.kind === "awaiting_deposit" || (state.kind === "confirming" && state.accepted === null);
  const isLate = keepsRate && terms.fixed !== null && at > terms.fixed.expiresAt;
  if (!isLate) return decided(...seen);
  // An offer needs a price: without one the deposit is handled again later, with its original time.
  if (command.market === null) return noDecision;
  // An offer's time is when it was made, or its automatic refund could come before the customer saw it.
  const offer = makeOffer(terms, toMinor(standing + deposit.amount), command.market, now);
  return decided(
    ...seen,
    { kind: "FIXED_RATE_SLOW_DEPOSIT_DETECTED", data: {}, at },
    { kind: "RATE_MODE_CHANGED", data: { offer }, at: now },
  );
}

/** An order that nobody paid ends; what comes later is a stray (contract §3). */
function expire(
  { isUnpaidAgain, goneSince = null, at }: Extract<Command, { kind: "expire" }>,
  state: OrderState,
): Decision {
  const isUnpaid = state.kind === "awaiting_deposit" || (isUnpaidAgain === true && isOpen(state));
  if (!isUnpaid || at < unpaidAgainUntil(state.terms, goneSince)) return noDecision;
  return decided({ kind: "EXPIRED", data: {}, at });
}

/** Whether its deposits are still to be settled, and no operator's release is waited for. */
export const isOpen = (state: OrderState): boolean =>
  state.kind === "confirming" ||
  state.kind === "awaiting_choice" ||
  (state.kind === "refund_requested" && state.isStopped !== true);

/** When an order that nobody paid expires: for one of an older version a day after its time to pay. */
export const unpaidUntil = ({ unpaidUntil: until, fixed, createdAt }: OrderTerms): Date =>
  until ?? new Date((fixed?.expiresAt ?? createdAt).getTime() + DAY_MS);

/** The same once its deposits are gone: until a day later they may come back, as what a node has forgotten and another one mines. */
export function unpaidAgainUntil(terms: OrderTerms, goneSince: Date | null): Date {
  const until = unpaidUntil(terms);
  const forgotten = goneSince === null ? until : new Date(goneSince.getTime() + GONE_AFTER_MS);
  return forgotten > until ? forgotten : until;
}

/** A change of provider is a decision of its own, and only while nothing was sent to the customer (engine law 12). */
function providerFailed({ partner, at }: Extract<Command, { kind: "provider_failed" }>, state: OrderState): Decision {
  if (state.kind !== "paying" || state.payout.partner?.code !== partner) return noDecision;
  return decided({ kind: "PROVIDER_FAILED", data: { partner }, at });
}

function refundInstead(
  { to, networkFee, at }: Extract<Command, { kind: "refund_instead" }>,
  state: OrderState,
): Decision {
  // A refund that its address refuses is sent to another one.
  if (state.kind !== "refunding" && state.kind !== "paying") return noDecision;
  return decided({ kind: "REFUND_REQUESTED", data: { to, networkFee }, at });
}

/** Only what we pay ourselves, and never a refund of more than came in. Also once a block that was undone had ended it: it is still owed. */
function correctPayment(
  { purpose, txId, amount, at }: Extract<Command, { kind: "correct_payment" }>,
  state: OrderState,
): Decision {
  const kind = "PAYMENT_CORRECTED";
  const isPaidOut = state.kind === "paying" || state.kind === "completed";
  if (purpose === "payout" && isPaidOut && state.payout.partner === undefined)
    return decided({ kind, data: { purpose, txId, amount: toMinor(amount) }, at });
  const isRefunded = state.kind === "refunding" || state.kind === "refunded";
  if (purpose === "refund" && isRefunded && amount <= state.refund.received)
    return decided({ kind, data: { purpose, txId, amount: toMinor(amount) }, at });
  return noDecision;
}

function reroute({ market, at }: Extract<Command, { kind: "reroute" }>, state: OrderState): Decision {
  if (state.kind !== "rerouting") return noDecision;
  const payout = routedPayout(state.terms, state.payout.received, market, state.failed);
  if (payout === null || payout === "no_provider") return waitFor("no_provider");
  return decided({ kind: "PROVIDER_CHANGED", data: { payout }, at });
}

function complete(
  { txId, delivered, market, at }: Extract<Command, { kind: "complete_payment" }>,
  state: OrderState,
): Decision {
  const ended = { txId, ...(market !== null && { market: pricesOf(market) }) };
  const data = delivered === undefined ? ended : { ...ended, delivered };
  if (state.kind === "paying") return decided({ kind: "WITHDRAWAL_COMPLETED", data, at });
  if (state.kind === "refunding") return decided({ kind: "REFUND_COMPLETED", data: ended, at });
  return noDecision;
}

const pricesOf = ({ fromPriceUsd, toPriceUsd }: MarketNow) => ({ fromPriceUsd, toPriceUsd });
