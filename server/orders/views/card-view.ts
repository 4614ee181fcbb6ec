import type { CardState, OrderCard } from "#contract/card.ts";
import { formatAmount } from "#contract/money.ts";
import type { Order, OrderEventKind } from "#contract/order.ts";
import type { OrderState, OrderTerms } from "../decisions/order.ts";

type CardTerms = NonNullable<OrderTerms["card"]>;
type Rows = { state: OrderState; events: readonly { kind: OrderEventKind; at: Date }[]; wait: string | null };

/** How a provider is shown. */
export type ProviderView = { name: string; supportUrl: string };

/** The parts of an order that its card provider's news made: there are no rows of ours behind them. */
export function viewCard(
  rows: Rows,
  card: CardTerms,
  provider: ProviderView,
): Pick<Order, "card" | "redirectUrl" | "deposits" | "withdrawals"> {
  const { state } = rows;
  return {
    card: {
      provider: provider.name,
      direction: card.direction,
      state: stateOf(rows),
      reference: card.reference,
      supportUrl: provider.supportUrl,
      steps: stepsOf(rows),
      quoted: quotedOf(state.terms, card),
    },
    redirectUrl: state.kind === "awaiting_deposit" ? card.redirectUrl : null,
    deposits: depositsOf(rows),
    withdrawals: withdrawalsOf(state),
  };
}

const STATES: Partial<Record<OrderState["kind"], CardState>> = {
  awaiting_deposit: "opened",
  confirming: "paid",
  paying: "sending",
  completed: "done",
  expired: "cancelled",
  refunded: "refunded",
};

function stateOf({ state, wait }: Rows): CardState {
  const isDeclined = state.kind === "expired" && state.isDeclined === true;
  return isDeclined || wait === "card_failed" ? "failed" : (STATES[state.kind] ?? "paid");
}

function quotedOf({ from, to }: OrderTerms, { direction, fees }: CardTerms): OrderCard["quoted"] {
  if (fees === undefined) return null;
  const { decimals } = direction === "buy" ? from : to;
  const { marketValue, ...kinds } = fees;
  const amounts = (["processing", "platform", "network"] as const).map((kind) => ({
    kind,
    amount: formatAmount(kinds[kind], decimals),
  }));
  return { fees: amounts, marketValue: formatAmount(marketValue, decimals) };
}

function stepsOf({ events }: Rows): OrderCard["steps"] {
  const at = (kind: OrderEventKind) => events.find((event) => event.kind === kind)?.at.toISOString() ?? null;
  return [
    { kind: "paid", at: at("INCOMING_FUNDS_DETECTED") },
    { kind: "checked", at: at("FUNDS_WITHDRAWAL_START") },
    { kind: "sent", at: at("WITHDRAWAL_COMPLETED") },
  ];
}

/** What the provider says was paid has all the confirmations that it asks for. */
function depositsOf({ state: { terms, deposits }, events }: Rows): Order["deposits"] {
  const seen = events.find(({ kind }) => kind === "INCOMING_FUNDS_DETECTED")?.at ?? terms.createdAt;
  return deposits.map(({ key, amount }) => ({
    amount: formatAmount(amount, terms.from.decimals),
    confirmations: terms.requiredConfirmations,
    requiredConfirmations: terms.requiredConfirmations,
    txId: key,
    detectedAt: seen.toISOString(),
    isCounted: true,
  }));
}

function withdrawalsOf(state: OrderState): Order["withdrawals"] {
  const { terms } = state;
  if (state.kind === "completed") {
    const amount = formatAmount(state.payout.amount, terms.to.decimals);
    return [{ amount, txId: state.txId || null, confirmations: 1, kind: "payout" }];
  }
  if (state.kind !== "refunded") return [];
  return [
    { amount: formatAmount(state.refund.amount, terms.from.decimals), txId: null, confirmations: 1, kind: "refund" },
  ];
}
