import { CodedError } from "#contract/errors.ts";
import { toMinor, type Minor } from "#contract/money.ts";
import {
  carriedOutByProvider,
  decideCardNews,
  isCardOrder,
  type CardNewsCommand,
  type CardWait,
} from "./decide-card.ts";
import { decideAccept, decideRefundRequest, type ClaimedRefund } from "./decide-choice.ts";
import {
  acceptedPayout,
  brokenBound,
  fixedCauses,
  fixedPayout,
  isComplete,
  isTooSmall,
  makeOffer,
  type MarketNow,
} from "./decide-price.ts";
import { decideRelease, decideStop, refundWait } from "./decide-refund-hold.ts";
import { routedPayout } from "./decide-route.ts";
import type { DomainEvent, OrderPayout, OrderState, Recipient, RegisteredDeposit, OrderTerms } from "./order.ts";

export type { MarketNow } from "./decide-price.ts";

export type Command =
  | { kind: "create"; terms: OrderTerms; at: Date }
  /**
   * `standing` is the sum of the registered deposits that the chain or its mempool shows; `at` is when this one was detected;
   * `now`, where later, is when it is judged.
   */
  | {
      kind: "see_deposit";
      deposit: RegisteredDeposit;
      standing: Minor<"from">;
      market: MarketNow | null;
      at: Date;
      now?: Date;
    }
  /** Nobody paid the order in its time. */
  | { kind: "expire"; at: Date }
  /** `lastMinedAt` is when the last of the deposits was first in a block. */
  | { kind: "settle"; received: Minor<"from">; lastMinedAt: Date; market: MarketNow; at: Date }
  /** `delivered` where a partner paid: what arrived. An end without prices is one all the same. */
  | { kind: "complete_payment"; txId: string; delivered?: Minor<"to">; market: MarketNow | null; at: Date }
  /** A partner has returned what it was sent, or was never paid: nothing was sent to the customer. */
  | { kind: "provider_failed"; partner: string; at: Date }
  | { kind: "reroute"; market: MarketNow; at: Date }
  /** An operator refunds what could not be paid out: nothing was sent to the customer. */
  | { kind: "refund_instead"; to: Recipient; networkFee: Minor<"from">; at: Date }
  | {
      kind: "request_refund";
      to: Recipient;
      claimed: ClaimedRefund;
      received: Minor<"from">;
      networkFee: Minor<"from">;
      /** How long a refund to an address that was not given at creation waits: 0 where nobody can be told of it. */
      holdSeconds: number;
      at: Date;
    }
  /** Whoever got the message about a refund that waits stops it. */
  | { kind: "stop_refund"; at: Date }
  /** An operator lets it go on: to the address that was asked for, or to `to`. */
  | { kind: "release_refund"; to: Recipient | null; at: Date }
  | { kind: "accept_rate_mode_change"; received: Minor<"from">; isMined: boolean; market: MarketNow; at: Date }
  | CardNewsCommand
  | AutoRefund;

/** Refunds a deposit once the customer has not chosen for `autoRefundSeconds`. */
type AutoRefund = {
  kind: "auto_refund";
  received: Minor<"from">;
  lastMinedAt: Date;
  market: MarketNow;
  networkFee: Minor<"from">;
  lastDepositAt: Date;
  autoRefundSeconds: number;
  at: Date;
};

/** Why an order that has its deposit doesn't go on by itself (contract §3). */
export type Wait =
  | "under_minimum"
  | "over_maximum"
  | "customer_choice"
  | "refund_too_small"
  | "refund_delayed"
  | "refund_stopped"
  | "no_provider"
  | CardWait;

/** What a command does: the events to append, or what the order waits for, or nothing. */
export type Decision = { events: DomainEvent[]; wait: Wait | null };

const DAY_MS = 86_400_000;

const nothing: Decision = { events: [], wait: null };
const waiting = (wait: Wait): Decision => ({ events: [], wait });
const happened = (...events: DomainEvent[]): Decision => ({ events, wait: null });

/**
 * Every rule of an order's lifecycle (spec §4, contract §3). Pure: time and prices arrive in the command.
 * A command that a state doesn't take throws a CodedError and changes nothing; a repeated one decides nothing.
 */
export function decide(command: Command, state: OrderState | null): Decision {
  if (command.kind === "create") {
    if (state !== null) throw new CodedError("ERR_PRISMA_CLIENT_KNOWN_REQUEST", "The order already exists");
    return happened({ kind: "CREATION_END", data: { terms: command.terms }, at: command.at });
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
    case "request_refund":
      return happened(...decideRefundRequest(command, state));
    case "stop_refund":
      return { events: decideStop(command, state), wait: "refund_stopped" };
    case "release_refund":
      return happened(...decideRelease(command, state));
    case "accept_rate_mode_change":
      return happened(...decideAccept(command, state));
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
  return nothing;
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
  if (isSettled(state) || state.deposits.some((known) => known.key === deposit.key)) return nothing;
  if (isTooSmall(terms, deposit.amount) || isClosed(state, standing)) return nothing;
  const seen: DomainEvent[] = [{ kind: "DEPOSIT_REGISTERED", data: { deposit }, at }];
  if (state.kind === "awaiting_deposit") seen.push({ kind: "INCOMING_FUNDS_DETECTED", data: {}, at });
  // The sum that completes the claimed amount must be timely, not the first part of it; the order is floating from here on (law 12).
  const keepsRate = state.kind === "awaiting_deposit" || (state.kind === "confirming" && state.accepted === null);
  const isLate = keepsRate && terms.fixed !== null && at > terms.fixed.expiresAt;
  if (!isLate) return happened(...seen);
  // An offer needs a price: without one the deposit is handled again later, with its original time.
  if (command.market === null) return nothing;
  // An offer's time is when it was made, or its automatic refund could come before the customer saw it.
  const offer = makeOffer(terms, toMinor(standing + deposit.amount), command.market, now);
  return happened(
    ...seen,
    { kind: "FIXED_RATE_SLOW_DEPOSIT_DETECTED", data: {}, at },
    { kind: "RATE_MODE_CHANGED", data: { offer }, at: now },
  );
}

/** An order that nobody paid ends; what comes later is a stray (contract §3). */
function expire({ at }: Extract<Command, { kind: "expire" }>, state: OrderState): Decision {
  if (state.kind !== "awaiting_deposit" || at < unpaidUntil(state.terms)) return nothing;
  return happened({ kind: "EXPIRED", data: {}, at });
}

/** When an order that nobody paid expires: for one of an older version a day after its time to pay. */
export const unpaidUntil = ({ unpaidUntil: until, fixed, createdAt }: OrderTerms): Date =>
  until ?? new Date((fixed?.expiresAt ?? createdAt).getTime() + DAY_MS);

/** All deposits seen so far are confirmed: what becomes of them. */
function settle(command: Extract<Command, { kind: "settle" }>, state: OrderState): Decision {
  switch (state.kind) {
    case "confirming":
      return settleConfirmed(command, state);
    case "awaiting_choice":
      return renewOffer(command, state);
    case "refund_requested": {
      const held = refundWait(state, command.at);
      if (held !== null) return waiting(held);
      const amount = command.received - state.networkFee;
      if (amount <= 0n) return waiting("refund_too_small");
      const refund = {
        to: state.to,
        received: command.received,
        amount: toMinor<"from">(amount),
        networkFee: state.networkFee,
      };
      return happened({ kind: "REFUND_STARTED", data: { refund }, at: command.at });
    }
    case "awaiting_deposit":
    case "expired":
    case "paying":
    case "rerouting":
    case "completed":
    case "refunding":
    case "refunded":
      return nothing;
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
    if (bound !== null) return waiting(bound);
    const payout = routedPayout(terms, received, market);
    if (payout === "no_provider") return waiting("no_provider");
    return payout === null ? waiting("under_minimum") : startPayout(payout, at);
  }
  const causes = fixedCauses(terms, terms.fixed, { received, lastMinedAt }, market);
  if (causes.length === 0) return startPayout(fixedPayout(terms, received), at);
  const changed: DomainEvent = {
    kind: "RATE_MODE_CHANGED",
    data: { offer: makeOffer(terms, received, market, at) },
    at,
  };
  return happened(...causes.map((kind): DomainEvent => ({ kind, data: {}, at })), changed);
}

/** An offer is for one sum: a top-up makes another one. */
function renewOffer(
  { market, received, at }: Extract<Command, { kind: "settle" }>,
  { terms, offer }: Extract<OrderState, { kind: "awaiting_choice" }>,
): Decision {
  const isFor = offer?.received ?? null;
  if (isFor === received) return waiting("customer_choice");
  const fresh = makeOffer(terms, received, market, at);
  if (fresh === null && offer === null) return waiting(brokenBound(terms, received) ?? "under_minimum");
  return happened({ kind: "RATE_MODE_CHANGED", data: { offer: fresh }, at });
}

/**
 * A confirmed deposit that waits for the customer is refunded automatically to the address that was set at creation,
 * once the customer has had the whole wait since the last deposit and since the last offer or its end. An order without
 * that address waits on.
 */
function decideAutoRefund(command: AutoRefund, state: OrderState): Decision {
  const { wait } = settle({ ...command, kind: "settle" }, state);
  const { refund: to } = state.terms;
  if (wait === null) return nothing;
  const isForCustomer = wait === "customer_choice" || wait === "under_minimum" || wait === "over_maximum";
  if (!isForCustomer || to === null || command.received <= command.networkFee) return waiting(wait);
  if (command.at < autoRefundAt(command, state)) return waiting(wait);
  return happened({ kind: "REFUND_REQUESTED", data: { to, networkFee: command.networkFee }, at: command.at });
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
  happened({ kind: "FUNDS_WITHDRAWAL_START", data: { payout }, at });

/** A change of provider is a decision of its own, and only while nothing was sent to the customer (engine law 12). */
function providerFailed({ partner, at }: Extract<Command, { kind: "provider_failed" }>, state: OrderState): Decision {
  if (state.kind !== "paying" || state.payout.partner?.code !== partner) return nothing;
  return happened({ kind: "PROVIDER_FAILED", data: { partner }, at });
}

function refundInstead(
  { to, networkFee, at }: Extract<Command, { kind: "refund_instead" }>,
  state: OrderState,
): Decision {
  // A refund that its address refuses is sent to another one.
  if (state.kind !== "refunding" && (state.kind !== "paying" || state.payout.partner !== undefined)) return nothing;
  return happened({ kind: "REFUND_REQUESTED", data: { to, networkFee }, at });
}

function reroute({ market, at }: Extract<Command, { kind: "reroute" }>, state: OrderState): Decision {
  if (state.kind !== "rerouting") return nothing;
  const payout = routedPayout(state.terms, state.payout.received, market, state.failed);
  if (payout === null || payout === "no_provider") return waiting("no_provider");
  return happened({ kind: "PROVIDER_CHANGED", data: { payout }, at });
}

function complete(
  { txId, delivered, market, at }: Extract<Command, { kind: "complete_payment" }>,
  state: OrderState,
): Decision {
  const ended = { txId, ...(market !== null && { market: pricesOf(market) }) };
  const data = delivered === undefined ? ended : { ...ended, delivered };
  if (state.kind === "paying") return happened({ kind: "WITHDRAWAL_COMPLETED", data, at });
  if (state.kind === "refunding") return happened({ kind: "REFUND_COMPLETED", data: ended, at });
  return nothing;
}

const pricesOf = ({ fromPriceUsd, toPriceUsd }: MarketNow) => ({ fromPriceUsd, toPriceUsd });
