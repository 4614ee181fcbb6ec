import { formatAmount } from "#contract/money.ts";
import type { ChannelName, OrderMessage } from "../notifications/port.ts";
import type { Wait } from "./decisions/decision.ts";
import type { DomainEvent, OrderState, Recipient } from "./decisions/order.ts";

/** An order after a decision, with the sum of its counted deposits. */
type OrderProgress = { state: OrderState; received: bigint };

/** The channels that reach an order's customer; browsers subscribe to push later, if at all. */
export const channelsOf = (order: { userEmail: string | null; userId: bigint | null }): ChannelName[] => [
  ...(order.userEmail === null ? [] : ["mail" as const]),
  ...(order.userId === null ? [] : ["telegram" as const]),
  "push",
];

/** The messages for what was just decided. */
export function messagesOf(progress: OrderProgress, events: DomainEvent[], wait: Wait | null): OrderMessage[] {
  const messages = events.flatMap((event) => messageOf(progress, event) ?? []);
  if (wait === "under_minimum" || wait === "over_maximum") {
    messages.push({
      topic: wait,
      sourceKey: wait,
      ...common(progress.state),
      received: inFrom(progress.state, progress.received),
    });
  }
  // A required choice replaces the message about the deposit.
  const mustChoose = messages.some(({ topic }) => topic === "choice_needed");
  return messages.filter(({ topic }) => !(mustChoose && topic === "deposit_seen"));
}

/** The first message of an order, or of an email that came later. */
export function createdMessage(state: OrderState): OrderMessage {
  const { terms } = state;
  return {
    topic: "created",
    sourceKey: "CREATION_END",
    ...common(state),
    from: inFrom(state, terms.claimedDepositAmount),
    to: inTo(state, terms.quoted.amountTo),
    expiresAt: terms.fixed?.expiresAt.toISOString() ?? null,
    isDepositAwaited: state.kind === "awaiting_deposit" && terms.card === undefined,
  };
}

function messageOf({ state, received }: OrderProgress, event: DomainEvent): OrderMessage | null {
  // Every topic except the waits belongs to the first event of its kind: a renewed offer sends no second message.
  const head = { sourceKey: event.kind, ...common(state) };
  switch (event.kind) {
    case "INCOMING_FUNDS_DETECTED":
      return {
        topic: "deposit_seen",
        ...head,
        received: inFrom(state, received),
        confirmations: state.terms.requiredConfirmations,
      };
    case "RATE_MODE_CHANGED":
      return { topic: "choice_needed", ...head, received: inFrom(state, received) };
    case "WITHDRAWAL_COMPLETED":
      if (state.kind !== "completed") return null;
      return {
        topic: "payout_completed",
        ...head,
        destinationMemo: state.terms.destination.memo,
        delivered: inTo(state, state.payout.amount),
        txId: event.data.txId,
      };
    case "REFUND_REQUESTED": {
      const { heldUntil, to } = event.data;
      if (heldUntil === undefined) return { topic: "refund_requested", ...head };
      return delayedMessage(state, { sourceKey: event.kind, to, heldUntil });
    }
    case "REFUND_DELAYED": {
      if (state.kind !== "refund_requested") return null;
      const { heldUntil } = event.data;
      // Each is a message of its own: with it comes a link that stops the refund.
      return delayedMessage(state, { sourceKey: `${event.kind} ${heldUntil.toISOString()}`, to: state.to, heldUntil });
    }
    case "REFUND_COMPLETED":
      if (state.kind !== "refunded") return null;
      return {
        topic: "refund_completed",
        ...head,
        returned: inFrom(state, state.refund.amount),
        txId: event.data.txId,
      };
    case "CREATION_END":
    case "EXPIRED":
    case "DEPOSIT_REGISTERED":
    case "FUNDS_WITHDRAWAL_START":
    case "REFUND_STARTED":
    case "REFUND_STOPPED":
    case "REFUND_RELEASED":
    case "PROVIDER_FAILED":
    case "PROVIDER_CHANGED":
    case "PAYMENT_CORRECTED":
    case "RATE_MODE_CHANGE_ACCEPTED":
    case "FIXED_RATE_HIGH_VOLATILITY_DETECTED":
    case "FIXED_RATE_SLOW_DEPOSIT_DETECTED":
    case "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED":
      return null;
  }
}

const delayedMessage = (
  state: OrderState,
  { sourceKey, to, heldUntil }: { sourceKey: string; to: Recipient; heldUntil: Date },
): OrderMessage => ({
  topic: "refund_delayed",
  sourceKey,
  ...common(state),
  refundAddress: to.address,
  refundMemo: to.memo,
  refundSlug: state.terms.from.slug,
  until: heldUntil.toISOString(),
});

const common = ({ terms }: OrderState) => ({ destinationAddress: terms.destination.address });

const inFrom = ({ terms: { from } }: OrderState, amount: bigint) => ({
  amount: formatAmount(amount, from.decimals),
  slug: from.slug,
});
const inTo = ({ terms: { to } }: OrderState, amount: bigint) => ({
  amount: formatAmount(amount, to.decimals),
  slug: to.slug,
});
