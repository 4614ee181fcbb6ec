import { CodedError } from "#contract/errors.ts";
import { parseAmount, toMinor, type Minor } from "#contract/money.ts";
import type { BodyOf } from "#contract/calls.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { Switches } from "../treasury/port.ts";
import type { Recipient } from "./decisions/order.ts";
import { canBeNotified } from "./refunds/refund-hold.ts";
import { endWait, mayBePaid, requireUndecided } from "./undecided/undecided.ts";
import { lockedRefundFee, type RefundQuoteParts } from "./refunds/refund-quote.ts";
import { sumOf, withOrder, type OrderSession } from "./processing/session.ts";
import { scheduleOrder } from "./processing/store.ts";
import { viewOffer } from "./views/view.ts";

export type ChoiceParts = RefundQuoteParts & {
  catalogue: Pick<Catalogue, "terms">;
  switches: Pick<Switches, "refundOnlyNow">;
};

const noPrice = () =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "There is no price for this order now", { retryAfterSeconds: 5 });

/** In refund-only mode no new rates are offered. */
const refundOnly = () =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "No new rates are offered now; request a refund or try again later", {
    retryAfterSeconds: 60,
  });

/** After a restore. */
const paymentUndecided = () =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "The payments of this order are being checked; try again later", {
    retryAfterSeconds: 60,
  });

/** Requests a refund. The claimed amounts are compared with the quoted ones and never paid. */
export async function requestRefund(parts: ChoiceParts, body: BodyOf<"requestRefund">, to: Recipient): Promise<void> {
  const { refundDelaySeconds } = parts.catalogue.terms;
  await withOrder(parts, body.orderId, async (session) => {
    await requireUndecided(session);
    const { decimals } = session.state().terms.from;
    const claimedFee = parseClaimed(body.claimedNetworkFee, decimals, "claimedNetworkFee");
    const networkFee =
      session.counted().length === 0 ? toMinor<"from">(0n) : await lockedRefundFee(parts, session, claimedFee);
    session.take({
      kind: "request_refund",
      to,
      claimed: {
        amount: parseClaimed(body.refundAmount, decimals, "refundAmount"),
        networkFee: claimedFee,
      },
      received: sumOf(session.counted()),
      networkFee,
      refundDelaySeconds: (await canBeNotified(session)) ? refundDelaySeconds : 0,
      at: session.at,
    });
    const isNew = session.state().kind === "refund_requested" && session.order.state.kind !== "refund_requested";
    if (isNew && (await mayBePaid(session))) throw paymentUndecided();
    await endWait(session);
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
    await requireUndecided(session);
    if (session.market === null) throw noPrice();
    const deposits = session.counted();
    const isMined = deposits.length > 0 && deposits.every((deposit) => deposit.height !== null);
    const asked = { received: sumOf(deposits), isMined, market: session.market, at: session.at };
    session.take({ kind: "accept_rate_mode_change", ...asked });
    await endWait(session);
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

function parseClaimed(text: string, decimals: number, field: string): Minor<"from"> {
  const amount = parseAmount<"from">(text, decimals);
  if (amount !== null) return amount;
  throw new CodedError("ERR_VALIDATION", "The request is not valid", {
    data: { [field]: `at most ${decimals} decimals` },
  });
}
