import { toMinor } from "#contract/money.ts";
import type { ExchangeEnd } from "../liquidity/port.ts";
import { isSettled, refundRecipient, choiceDeadline } from "./decide.ts";
import { returnStray } from "./effects.ts";
import { isRegistered, sumOf, withOrder, type OrderSession, type SessionParts } from "./session.ts";
import { confirmationsAt, reviewDeposit, scheduleOrder, tipOf, type DepositRow } from "./store.ts";

/** A price that can't be had keeps a paid order waiting, never failing. */
const PRICE_RETRY_SECONDS = 2;

export type AdvanceParts = SessionParts & {
  /** What sending the instrument back costs now, in its own minor units; null while nobody can tell. */
  returnFee(slug: string): bigint | null;
  /** How long an owner is waited for before the deposit goes back by itself; null: for ever. */
  autoRefundSeconds: number | null;
  endOfExchange(transaction: OrderSession["transaction"], orderId: string): Promise<ExchangeEnd | null>;
};

/** Takes an order as far as its rows allow. True when it moved. */
export async function advance(parts: AdvanceParts, orderId: string): Promise<boolean> {
  const done = await withOrder(parts, orderId, async (session) => {
    await reviewWrongAssets(parts, session);
    seeDeposits(session);
    await settle(session);
    const unattendedSeconds = await refundTimedOut(parts, session);
    await completePayment(session);
    await completeExchange(parts, session);
    reroute(session);
    const waitsForFee = await returnStrays(parts, session);
    const waitsForPrice = session.market === null && needsPrice(session);
    const waitsForProvider = session.wait === "no_provider" || session.state().kind === "rerouting";
    const soon = waitsForPrice || waitsForFee || waitsForProvider ? PRICE_RETRY_SECONDS : null;
    await scheduleOrder(session.transaction, orderId, soon ?? unattendedSeconds);
  });
  return done !== null && done.events.length > 0;
}

function seeDeposits(session: OrderSession): void {
  for (const deposit of session.counted()) {
    if (isRegistered(session.state(), deposit)) continue;
    session.take({
      kind: "see_deposit",
      deposit: { key: deposit.key, amount: toMinor(deposit.amount) },
      market: session.market,
      // Lateness is judged by when the chain was seen to show it, not by when this process came to look.
      at: deposit.detectedAt < session.at ? deposit.detectedAt : session.at,
      now: session.at,
    });
  }
}

async function settle(session: OrderSession): Promise<void> {
  if (isSettled(session.state()) || session.market === null) return;
  const confirmed = await session.confirmed();
  if (confirmed === null) return;
  session.take({ kind: "settle", received: sumOf(confirmed), market: session.market, at: session.at });
}

/** Sends back what nobody looks after any more; gives the seconds after which to look again, null where there is nothing to wait for. */
async function refundTimedOut(parts: AdvanceParts, session: OrderSession): Promise<number | null> {
  const { autoRefundSeconds: choiceSeconds } = parts;
  const { terms } = session.state();
  if (choiceSeconds === null || session.wait === null || terms.refund === null || session.market === null) return null;
  const networkFee = parts.returnFee(terms.from.slug);
  if (networkFee === null) return PRICE_RETRY_SECONDS;
  const deposits = session.counted();
  const lastDepositAt = new Date(Math.max(...deposits.map((deposit) => deposit.detectedAt.getTime())));
  session.take({
    kind: "refund_timed_out",
    received: sumOf(deposits),
    market: session.market,
    networkFee: toMinor(networkFee),
    lastDepositAt,
    choiceSeconds: choiceSeconds,
    at: session.at,
  });
  if (session.state().kind === "refund_requested") await settle(session);
  if (session.wait === null) return null;
  const until = choiceDeadline({ lastDepositAt, choiceSeconds: choiceSeconds }, session.state());
  return Math.max(PRICE_RETRY_SECONDS, (until.getTime() - session.at.getTime()) / 1000);
}

/** An order that would move on if there were a price. */
function needsPrice(session: OrderSession): boolean {
  const state = session.state();
  return !isSettled(state) && session.counted().length > 0;
}

async function completePayment(session: OrderSession): Promise<void> {
  const { kind } = session.state();
  if (kind !== "paying" && kind !== "refunding") return;
  const row = await session.transaction
    .selectFrom("payouts")
    .innerJoin("payout_attempts", "payout_attempts.payout_id", "payouts.id")
    .select("payout_attempts.tx_id")
    .where("payouts.order_id", "=", session.order.id)
    .where("payouts.state", "in", ["mined", "final"])
    .where("payout_attempts.status", "=", "mined")
    .executeTakeFirst();
  if (row !== undefined) session.take({ kind: "complete_payment", txId: row.tx_id, at: session.at });
}

/** What a partner has paid, or the news that it won't. */
async function completeExchange(parts: AdvanceParts, session: OrderSession): Promise<void> {
  const state = session.state();
  if (state.kind !== "paying" || state.payout.partner === undefined) return;
  const end = await parts.endOfExchange(session.transaction, session.order.id);
  if (end?.kind === "finished")
    session.take({ kind: "complete_payment", txId: end.txId, delivered: toMinor(end.delivered), at: session.at });
  if (end?.kind === "gone") session.take({ kind: "provider_failed", partner: end.partner, at: session.at });
}

function reroute(session: OrderSession): void {
  if (session.state().kind === "rerouting" && session.market !== null)
    session.take({ kind: "reroute", market: session.market, at: session.at });
}

async function reviewWrongAssets(parts: AdvanceParts, session: OrderSession): Promise<void> {
  const { slug } = session.state().terms.from;
  for (const deposit of session.deposits) {
    if (deposit.slug !== slug && deposit.reviewReason === null) await setReview(parts, session, deposit, "wrong_asset");
  }
}

/** What comes after the end goes back by itself where the order says where to; else an operator decides. True while a fee is missing. */
async function returnStrays(parts: AdvanceParts, session: OrderSession): Promise<boolean> {
  const state = session.state();
  if (!isSettled(state)) return false;
  // Registered ones too, once credits are written: a reorganisation may have hidden one while the order was settled without it.
  const wasSettled = isSettled(session.order.state);
  const strays = session
    .counted()
    .filter((deposit) => deposit.creditedAt === null && (wasSettled || !isRegistered(state, deposit)));
  if (strays.length === 0) return false;
  const tip = await tipOf(session.transaction, state.terms.from.networkTitle);
  const to = refundRecipient(state);
  const fee = parts.returnFee(state.terms.from.slug);
  for (const deposit of strays) {
    if (to === null) {
      await setReview(parts, session, deposit, "after_settlement");
    } else if (confirmationsAt(tip, deposit.height) >= state.terms.requiredConfirmations && fee !== null) {
      if (deposit.amount <= fee) await setReview(parts, session, deposit, "smaller_than_fee");
      else await returnStray(parts, session, deposit, to, fee);
    }
  }
  return to !== null && fee === null;
}

async function setReview(
  parts: AdvanceParts,
  session: OrderSession,
  deposit: DepositRow,
  reason: string,
): Promise<void> {
  deposit.reviewReason = reason;
  await reviewDeposit(session.transaction, deposit.id, reason);
  parts.log.error(
    { orderId: session.order.id, txId: deposit.txId, reason },
    "a deposit settles no order and is held for an operator",
  );
}
