import type { OrderCard } from "#contract/card.ts";
import type { Order } from "#contract/order.ts";
import type { SavedOrder } from "../../store.ts";
import { type Confirmations, confirmationsOf, isUnconfirmed } from "./deposits.ts";
import { receiptOf } from "../receipt.ts";
import { agreedSums } from "./promised.ts";
import { type Screen, screenOf } from "./screen.ts";

/** `signal` waits for the customer, whose money does not move; `now` goes on by itself; `over` is finished. */
type Tone = "signal" | "now" | "over";

export type RowStatus = {
  readonly name:
    | Screen
    | "unconfirmed"
    | "held"
    | "gone"
    | "card_unpaid"
    | "card_ended"
    | "card_declined"
    | "card_returning";
  readonly tone: Tone;
  /** While the deposit is confirmed. */
  readonly confirmations: Confirmations | null;
};

const TONES: Record<Screen, Tone> = {
  preparing: "now",
  send: "now",
  rate_ended: "over",
  expired: "over",
  processing: "now",
  attention: "signal",
  choice: "signal",
  refund: "now",
  completed: "over",
  refunded: "over",
};

/** What a row says of its order's state at `now` (milliseconds, the server's clock). */
export function rowStatus(order: Order, now: number, isGone: boolean): RowStatus {
  if (isGone) return { name: "gone", tone: "over", confirmations: null };
  const name = screenOf(order, now);
  if (order.review !== null && TONES[name] === "now") {
    const { needed } = order.review;
    if (needed === "TOP_UP") return { name: "attention", tone: "signal", confirmations: null };
    if (needed !== "TIME") return { name: "held", tone: "now", confirmations: null };
  }
  if (order.card !== null) return { name: cardName(order.card, name), tone: TONES[name], confirmations: null };
  if (name === "processing" && isUnconfirmed(order)) return { name: "unconfirmed", tone: "now", confirmations: null };
  const confirmations = confirmationsOf(order);
  const isConfirming = name === "processing" && confirmations.count < confirmations.required;
  return { name, tone: TONES[name], confirmations: isConfirming ? confirmations : null };
}

const CARD_NAMES: Partial<Record<Screen, RowStatus["name"]>> = {
  send: "card_unpaid",
  expired: "card_ended",
  refund: "card_returning",
};
const cardName = ({ state }: OrderCard, screen: Screen): RowStatus["name"] =>
  screen === "expired" && state === "failed" ? "card_declined" : (CARD_NAMES[screen] ?? screen);

type RowSums = { readonly sent: string; readonly paid: string; readonly paidSide: "from" | "to" };

/** What an order comes to: what was sent and delivered once it is over, else what was agreed. */
export function rowSums(order: Order, { name }: RowStatus): RowSums {
  if (name !== "refunded" && name !== "completed") {
    const { sent, paid } = agreedSums(order);
    return { sent, paid, paidSide: "to" };
  }
  const { sent, delivered } = receiptOf(order, name === "refunded" ? "refund" : "payout");
  return { sent, paid: delivered, paidSide: name === "refunded" ? "from" : "to" };
}

type Day = { readonly day: string; readonly orders: readonly SavedOrder[] };

/** The orders by the day of their creation in the reader's zone (`2026-11-21`), the newest first. */
export function byDay(orders: readonly SavedOrder[], timeZone: string): Day[] {
  const newest = orders.toSorted((one, other) => (one.order.createdAt < other.order.createdAt ? 1 : -1));
  const days = new Map<string, SavedOrder[]>();
  for (const saved of newest) {
    const day = dayOf(Date.parse(saved.order.createdAt), timeZone);
    days.set(day, [...(days.get(day) ?? []), saved]);
  }
  return [...days].map(([day, listed]) => ({ day, orders: listed }));
}

/** The day of a moment in a zone, `2026-11-21`. */
export const dayOf = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);

const OLD_MS = 60_000;

/** Seconds since an order that may change was seen, once that is a minute or more; null for one that is fresh or over. */
export function rowAge({ seenAt }: SavedOrder, { tone }: RowStatus, now: number): number | null {
  const age = now - Date.parse(seenAt);
  return tone === "over" || age < OLD_MS ? null : age / 1000;
}
