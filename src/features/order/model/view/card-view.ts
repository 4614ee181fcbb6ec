import type { OrderCard } from "#contract/card.ts";
import type { Order } from "#contract/order.ts";
import { eventTime } from "./order-times.ts";
import type { Block, MainAction } from "./blocks.ts";
import type { Screen, StepState, StepView } from "./screen.ts";
import type { TimelineRow } from "./timeline.ts";

type CardStep = OrderCard["steps"][number];
type Direction = OrderCard["direction"];

/** An order that a card provider carries out. */
export type CardOrder = Order & { card: OrderCard };

/** Whether a card provider carries the order out; else coins are exchanged for coins. */
export const isCardOrder = (order: Order): order is CardOrder => order.card !== null;

const OVER: ReadonlySet<Screen> = new Set(["expired", "refund", "refunded"]);

/** Each of the provider's steps: done with its time, the one that goes on now, and those to come; one that was not taken is a warning. */
function stateOf(steps: readonly CardStep[], index: number, screen: Screen): StepState {
  if (steps[index]?.at !== null || screen === "completed") return "done";
  const isFirst = steps.findIndex(({ at }) => at === null) === index;
  if (!isFirst) return "next";
  return screen === "expired" ? "warning" : OVER.has(screen) ? "next" : "now";
}

const STEP_NAMES = {
  buy: { paid: "card_paid", checked: "card_checked", sent: "card_sent" },
  sell: { paid: "card_received", checked: "card_checked", sent: "card_paid_out" },
} as const satisfies Record<Direction, Record<CardStep["kind"], StepView["name"]>>;

/** Paid, checked, sent; where the money goes back, that. */
export function cardSteps({ card: { direction, steps } }: CardOrder, screen: Screen): StepView[] {
  const names = STEP_NAMES[direction];
  if (screen === "refund" || screen === "refunded")
    return [
      { name: names.paid, state: "done" },
      { name: "card_returning", state: screen === "refund" ? "now" : "done" },
      { name: "refunded", state: screen === "refund" ? "next" : "done" },
    ];
  return steps.map(({ kind }, index) => ({ name: names[kind], state: stateOf(steps, index, screen) }));
}

export function cardTimeline(order: CardOrder, screen: Screen): TimelineRow[] {
  const { direction, steps } = order.card;
  const isReturned = screen === "refund" || screen === "refunded";
  const rows = steps.map(({ kind, at }, index): TimelineRow => {
    const state = stateOf(steps, index, screen);
    return { kind: "card", step: `${direction}_${kind}_${state === "done" ? "done" : "open"}`, state, at };
  });
  if (screen === "expired")
    return [...rows.filter(({ state }) => state === "done"), { kind: endOf(order), state: "warning", at: null }];
  if (!isReturned) return rows;
  return [
    ...rows.filter(({ state }) => state === "done"),
    { kind: "card_returning", state: "done", at: eventTime(order, "REFUND_REQUESTED") },
    {
      kind: "card_returned",
      state: screen === "refunded" ? "done" : "now",
      at: eventTime(order, "REFUND_COMPLETED"),
    },
  ];
}

/** A bank refuses a card; a provider refuses a sale. When the provider has ended it, nobody says. */
export const endOf = ({ card: { state, direction } }: CardOrder) =>
  state !== "failed" ? "card_ended" : direction === "buy" ? "card_declined" : "card_refused";

/** A purchase is paid at the provider, a sale to its address; nothing of it is confirmed by us. */
export function cardBlocks(order: CardOrder, screen: Screen): Block[] {
  const memo: Block[] = order.depositAddressMemo === null ? [] : ["memo"];
  switch (screen) {
    case "preparing":
      return ["reference", "steps", "preparing", "summary", "provider"];
    case "send":
    case "rate_ended":
      return [
        "reference",
        "steps",
        ...(order.redirectUrl === null ? [] : (["card_pay"] as const)),
        ...(order.depositAddress === null ? [] : (["floating", "amount", ...memo, "address", "qr"] as const)),
        "get",
        "timeline",
        "summary",
        "provider",
        "updates",
      ];
    case "completed":
      return ["reference", "steps", "receipt", "timeline", "provider"];
    default:
      return ["reference", "steps", "card_state", "timeline", "summary", "provider", "updates"];
  }
}

/** Whether the coins of a sale are to be sent: they have an address from the start, but the card to pay comes first. */
export const isNextToSend = ({ card, depositAddress }: CardOrder, screen: Screen, isCardNamed: boolean): boolean =>
  isCardNamed && card.direction === "sell" && depositAddress !== null && (screen === "send" || screen === "rate_ended");

export function cardAction({ redirectUrl }: CardOrder, screen: Screen): MainAction {
  switch (screen) {
    case "send":
    case "rate_ended":
      return redirectUrl === null ? null : "pay_by_card";
    case "expired":
      return "recreate";
    case "completed":
    case "refunded":
      return "new_exchange";
    default:
      return "share";
  }
}
