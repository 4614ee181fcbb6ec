import { formatAmount } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { isTooSmall } from "../decisions/decide-price.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import type { OrderRows } from "./order-rows.ts";

type Attention = Order["attention"];
type Review = NonNullable<Order["review"]>;
type Rows = Pick<OrderRows, "state" | "deposits" | "payout" | "wait" | "isPayingStopped">;
type Held = Rows & { now: Date };

const operator = (reason: Review["reason"]): Review => ({ reason, needed: "OPERATOR", until: null });

/** By `deposits.review_reason`; whatever else a driver names is a check of the deposit. */
const DEPOSIT_REVIEWS: ReadonlyMap<string, Review> = new Map([
  [REVIEW_REASON.wrongAsset, operator("WRONG_ASSET")],
  [REVIEW_REASON.goneAfterCredit, { reason: "DEPOSIT_UNDONE", needed: "NETWORK", until: null }],
  [REVIEW_REASON.afterSettlement, operator("LATE_DEPOSIT")],
  [REVIEW_REASON.smallerThanFee, operator("LATE_DEPOSIT")],
]);

/** By `orders.waiting_for`. */
const WAITS: ReadonlyMap<string, Review> = new Map([
  ["no_provider", { reason: "NO_PROVIDER", needed: "PROVIDER", until: null }],
  ["card_late", { reason: "LATE_DEPOSIT", needed: "PROVIDER", until: null }],
  ["card_amounts", { reason: "PAYMENT_CHECK", needed: "PROVIDER", until: null }],
  ["card_failed", { reason: "PAYMENT_CHECK", needed: "PROVIDER", until: null }],
  ["refund_too_small", { reason: "REFUND_TOO_SMALL", needed: "TOP_UP", until: null }],
]);

/** Which bound the deposits of an order break, as the contract shows it; null while they break none. */
export function attentionOf({ state: { kind, terms }, deposits, wait }: Rows): Attention {
  const dust = deposits.filter(
    ({ reviewReason, slug }) => reviewReason === REVIEW_REASON.dust && slug === terms.from.slug,
  );
  const isDustAlone = kind === "awaiting_deposit" && dust.length > 0;
  if (!isDustAlone && wait !== "under_minimum" && wait !== "over_maximum") return null;
  const isCounted = ({ reviewReason, amount }: (typeof deposits)[number]) =>
    reviewReason === null && !isTooSmall(terms, amount);
  const counted = isDustAlone ? dust : deposits.filter(isCounted);
  const received = counted.reduce((sum, { amount, slug }) => (slug === terms.from.slug ? sum + amount : sum), 0n);
  const isOver = wait === "over_maximum" && terms.maxAmount !== null;
  return {
    reason: isOver ? "ABOVE_MAXIMUM" : "BELOW_MINIMUM",
    expected: formatAmount(isOver ? (terms.maxAmount ?? 0n) : terms.minAmount, terms.from.decimals),
    received: formatAmount(received, terms.from.decimals),
    countsFrom: terms.minDeposit === undefined ? null : formatAmount(terms.minDeposit, terms.from.decimals),
  };
}

/** Why an order is held and what it needs; its own payment comes before its deposits. Null while nothing holds it. */
export function reviewOf({ state, deposits, payout, wait, isPayingStopped, now }: Held): Order["review"] {
  const { kind } = state;
  if (kind === "refund_requested") {
    const { heldUntil } = state;
    if (state.isStopped === true) return operator("REFUND_STOPPED");
    if (heldUntil !== undefined && now < heldUntil)
      return { reason: "REFUND_DELAYED", needed: "TIME", until: heldUntil.toISOString() };
  }
  if (payout?.isInReview === true) return operator("PAYMENT_CHECK");
  if (isPayingStopped && (kind === "paying" || kind === "refunding")) return operator("PAYMENTS_STOPPED");
  const waiting = wait === null ? undefined : WAITS.get(wait);
  if (waiting !== undefined) return waiting;
  const held = deposits.find(
    ({ reviewReason }) => reviewReason !== null && reviewReason !== REVIEW_REASON.dust,
  )?.reviewReason;
  return held == null ? null : (DEPOSIT_REVIEWS.get(held) ?? operator("DEPOSIT_CHECK"));
}
