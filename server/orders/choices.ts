import { CodedError } from "#contract/errors.ts";
import { formatAmount, parseAmount, toMinor, type Minor } from "#contract/money.ts";
import type { AnswerOf, BodyOf } from "#contract/calls.ts";
import type { Rates } from "../rates/port.ts";
import type { Switches } from "../treasury/port.ts";
import type { OrderState, Recipient } from "./order.ts";
import { sumOf, withOrder, type OrderSession, type SessionParts } from "./session.ts";
import { scheduleOrder } from "./store.ts";
import { viewOffer } from "./view.ts";

/** A refund's network fee is fixed for this long once it was quoted (contract §3). */
const REFUND_FEE_LOCK_MS = 600_000;

export type ChoiceParts = SessionParts & {
  rates: Pick<Rates, "snapshot" | "networkFee">;
  switches: Pick<Switches, "refundOnlyNow">;
};

const noPrice = () =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "There is no price for this order now", { retryAfterSeconds: 5 });

/** In refund-only mode no new rates are offered. */
const refundOnly = () =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "No new rates are offered now; request a refund or try again later", {
    retryAfterSeconds: 60,
  });

/**
 * What a refund would deliver, at a network fee that is fixed from then on; both figures are zero before a deposit.
 * Null for an unknown order.
 */
export async function quoteRefund(parts: ChoiceParts, orderId: string): Promise<AnswerOf<"refundInfo"> | null> {
  const done = await withOrder(parts, orderId, async (session) => {
    const state = session.state();
    const { decimals } = state.terms.from;
    if (state.kind === "refunding" || state.kind === "refunded") {
      return info(state.refund.amount, state.refund.networkFee, decimals);
    }
    const received = sumOf(session.counted());
    if (received === 0n) return info(0n, 0n, decimals);
    const fee = state.kind === "refund_requested" ? state.networkFee : await lockedRefundFee(parts, session);
    return info(received > fee ? received - fee : 0n, fee, decimals);
  });
  return done?.result ?? null;
}

/** Requests a refund. The claimed amounts are compared with the quoted ones and never paid. */
export async function requestRefund(parts: ChoiceParts, body: BodyOf<"requestRefund">, to: Recipient): Promise<void> {
  await withOrder(parts, body.orderId, async (session) => {
    const { decimals } = session.state().terms.from;
    const networkFee = session.counted().length === 0 ? toMinor<"from">(0n) : await lockedRefundFee(parts, session);
    session.take({
      kind: "request_refund",
      to,
      claimed: {
        amount: parseClaimed(body.refundAmount, decimals, "refundAmount"),
        networkFee: parseClaimed(body.claimedNetworkFee, decimals, "claimedNetworkFee"),
      },
      received: sumOf(session.counted()),
      networkFee,
      at: session.at,
    });
    await runSoon(session);
  });
}

/**
 * Accepts the offer on record. Where it has ended or the market has fallen below it, a fresh offer is stored, and the error holds it
 * in `data.offer` (contract §3).
 */
export async function acceptRateModeChange(parts: ChoiceParts, orderId: string): Promise<void> {
  if ((await parts.switches.refundOnlyNow()) !== null) throw refundOnly();
  const done = await withOrder(parts, orderId, async (session) => {
    if (session.market === null) throw noPrice();
    const deposits = session.counted();
    const isMined = deposits.every((deposit) => deposit.height !== null);
    const asked = { received: sumOf(deposits), isMined, market: session.market, at: session.at };
    session.take({ kind: "accept_rate_mode_change", ...asked });
    await runSoon(session);
    return session.state();
  });
  const state = done?.result;
  if (state?.kind !== "awaiting_choice") return;
  throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The rate has changed since it was offered", {
    data: { offer: viewOffer(state) },
  });
}

const runSoon = (session: OrderSession) => scheduleOrder(session.transaction, session.order.id, 0);

/** The fee that this order's refund was quoted with while it is fixed; otherwise a fresh one, which is then fixed. */
async function lockedRefundFee(parts: ChoiceParts, session: OrderSession): Promise<Minor<"from">> {
  const { order, at } = session;
  if (order.refundFee !== null && at.getTime() - order.refundFee.at.getTime() <= REFUND_FEE_LOCK_MS) {
    return toMinor(order.refundFee.amount);
  }
  const fee = toMinor<"from">(parts.rates.networkFee(slugOf(session.state()), parts.rates.snapshot()));
  await session.transaction
    .updateTable("orders")
    .set({ refund_fee: fee, refund_fee_at: at })
    .where("id", "=", order.id)
    .execute();
  return fee;
}

const slugOf = (state: OrderState): string => state.terms.from.slug;

const info = (amount: bigint, fee: bigint, decimals: number): AnswerOf<"refundInfo"> => ({
  refundAmountWithoutNetworkFee: formatAmount(amount, decimals),
  networkFee: formatAmount(fee, decimals),
});

function parseClaimed(text: string, decimals: number, field: string): Minor<"from"> {
  const amount = parseAmount<"from">(text, decimals);
  if (amount !== null) return amount;
  throw new CodedError("ERR_VALIDATION", "The request is not valid", {
    data: { [field]: `at most ${decimals} decimals` },
  });
}
