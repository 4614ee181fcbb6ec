import { toMinor } from "#contract/money.ts";
import { largestOf } from "../../base/extremes.ts";
import type { Catalogue } from "../../catalogue/index.ts";
import { confirmationsAt, readTip } from "../../chains/follower/index.ts";
import type { AbandonUnopened, ExchangeEnd } from "../../liquidity/port.ts";
import type { ReversalOf } from "../../treasury/port.ts";
import { smallestDeposit } from "../creation/order-terms.ts";
import { autoRefundAt } from "../decisions/decide-settle.ts";
import { isSettled, refundRecipient, unpaidAgainUntil, unpaidUntil } from "../decisions/decide.ts";
import { isCardOrder } from "../decisions/decide-card.ts";
import { isTooSmall } from "../decisions/decide-price.ts";
import { returnStray } from "./effects.ts";
import type { OrderState } from "../decisions/order.ts";
import { refundDueIn, releaseRefund, renewDelay } from "../refunds/refund-hold.ts";
import { refundInstead } from "../refunds/refund-instead.ts";
import { mayBePaid, refundUndecided, watchChoice, type UndecidedParts } from "../undecided/undecided.ts";
import { sumOf, withOrder, type OrderSession, type SeeDeposit, type SessionParts } from "./session.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import { scheduleOrder, type DepositRow } from "./store.ts";

/** Without a price a paid order waits; it never fails. */
const PRICE_RETRY_SECONDS = 2;
/** While an operator has to decide a payment. */
const UNDECIDED_RETRY_SECONDS = 60;

export type AdvanceParts = SessionParts &
  UndecidedParts & {
    reversalOf: ReversalOf;
    catalogue: Catalogue;
    abandonUnopened: AbandonUnopened;
    endOfExchange(transaction: OrderSession["transaction"], orderId: string): Promise<ExchangeEnd | null>;
  };

/** Advances an order as far as its rows allow. True when something was decided. */
export async function advance(parts: AdvanceParts, orderId: string): Promise<boolean> {
  const done = await withOrder(parts, orderId, async (session) => {
    // News of its provider alone moves it.
    if (isCardOrder(session.state())) return scheduleOrder(session.transaction, orderId, null);
    if (await refundUndecided(parts, session)) return scheduleOrder(session.transaction, orderId, PRICE_RETRY_SECONDS);
    await reviewWrongAssets(parts, session);
    await reviewSmallDeposits(parts, session);
    session.takeDeposits(newDeposits(session));
    const expiresInSeconds = expireUnpaid(session);
    const refundWaitsForFee = await refundInstead(parts, session);
    await releaseRefund(session);
    await renewDelay(parts, session);
    await settle(session);
    const deadlineSeconds = await autoRefund(parts, session);
    await completePayment(session);
    await completeExchange(parts, session);
    reroute(session);
    const strays = await returnStrays(parts, session);
    await watchChoice(parts, session);
    const waitsForPrice = session.market === null && needsPrice(session);
    const waitsForProvider = session.wait === "no_provider" || session.state().kind === "rerouting";
    const waits = waitsForPrice || strays === "wait for a fee" || refundWaitsForFee || waitsForProvider;
    const soon = strays === "are left" ? 0 : waits ? PRICE_RETRY_SECONDS : null;
    await scheduleOrder(
      session.transaction,
      orderId,
      soon ?? expiresInSeconds ?? deadlineSeconds ?? refundDueIn(session),
    );
  });
  return done !== null && done.events.length > 0;
}

function* newDeposits(session: OrderSession): Generator<SeeDeposit> {
  for (const deposit of session.counted()) {
    if (session.isRegistered(deposit) || isTooLate(session.state(), deposit)) continue;
    yield {
      kind: "see_deposit",
      deposit: { key: deposit.key, amount: toMinor(deposit.amount) },
      standing: session.standing(),
      market: session.market,
      // Lateness is judged by when the deposit was detected, not by when this process handles it.
      at: deposit.detectedAt < session.at ? deposit.detectedAt : session.at,
      now: session.at,
    };
  }
}

/** The order had expired before it was detected. */
const isTooLate = (state: OrderState, deposit: DepositRow): boolean =>
  state.kind === "awaiting_deposit" && deposit.detectedAt > unpaidUntil(state.terms);

/** Returns the seconds until an order whose deposits were all sent back, or are gone, expires; null for every other. */
function expireUnpaid(session: OrderSession): number | null {
  const state = session.state();
  if (state.kind === "awaiting_deposit" && session.counted().every((deposit) => isTooLate(state, deposit)))
    session.take({ kind: "expire", at: session.at });
  const again = session.unpaidAgain();
  if (again === false) return null;
  session.take({ kind: "expire", isUnpaidAgain: true, ...again, at: session.at });
  const seconds = (unpaidAgainUntil(state.terms, again.goneSince).getTime() - session.at.getTime()) / 1000;
  return session.state().kind === "expired" ? null : Math.max(PRICE_RETRY_SECONDS, seconds);
}

async function settle(session: OrderSession): Promise<void> {
  const state = session.state();
  if (isSettled(state)) return;
  // Held whatever becomes of its deposits.
  if (state.kind === "refund_requested" && state.isStopped === true) return;
  const confirmed = await session.confirmed();
  // A reorganisation can take the deposit that the order waited with.
  if (confirmed === null) return session.clearWait();
  if (session.market === null) return;
  const settled = { received: sumOf(confirmed), lastMinedAt: lastMinedAt(confirmed) };
  session.take({ kind: "settle", ...settled, market: session.market, at: session.at });
}

const latest = (times: Date[]): Date => new Date(largestOf(times.map((time) => time.getTime())));

const lastMinedAt = (deposits: DepositRow[]): Date =>
  latest(deposits.map(({ minedAt, detectedAt }) => minedAt ?? detectedAt));

/** Refunds a deposit whose time to choose has passed. Returns the seconds until the next check, null where nothing is waited for. */
async function autoRefund(parts: AdvanceParts, session: OrderSession): Promise<number | null> {
  const { autoRefundSeconds } = parts;
  const { terms } = session.state();
  if (autoRefundSeconds === null || session.wait === null || terms.refund === null || session.market === null)
    return null;
  const networkFee = parts.returnFee(terms.from.slug);
  if (networkFee === null) return PRICE_RETRY_SECONDS;
  const deposits = session.counted();
  const lastDepositAt = latest(deposits.map((deposit) => deposit.detectedAt));
  const dueAt = autoRefundAt({ lastDepositAt, autoRefundSeconds }, session.state());
  if (session.at >= dueAt && (await mayBePaid(session))) return UNDECIDED_RETRY_SECONDS;
  session.take({
    kind: "auto_refund",
    received: sumOf(deposits),
    lastMinedAt: lastMinedAt(deposits),
    market: session.market,
    networkFee: toMinor(networkFee),
    lastDepositAt,
    autoRefundSeconds,
    at: session.at,
  });
  if (session.state().kind === "refund_requested") await settle(session);
  if (session.wait === null) return null;
  const until = autoRefundAt({ lastDepositAt, autoRefundSeconds }, session.state());
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
    .select(["payout_attempts.tx_id", "payouts.amount", "payouts.arrived"])
    .where("payouts.order_id", "=", session.order.id)
    .where("payouts.state", "in", ["mined", "final"])
    .where("payout_attempts.status", "=", "mined")
    .executeTakeFirst();
  if (row === undefined) return;
  const { tx_id: txId, amount } = row;
  // An operator has accepted that less arrived than was decided.
  if (row.arrived !== null)
    session.take({
      kind: "correct_payment",
      purpose: kind === "paying" ? "payout" : "refund",
      txId,
      amount,
      at: session.at,
    });
  session.take({ kind: "complete_payment", txId, market: session.market, at: session.at });
}

/** Takes the end of the exchange at a partner: delivered, or failed. */
async function completeExchange(parts: AdvanceParts, session: OrderSession): Promise<void> {
  const state = session.state();
  if (state.kind !== "paying" || state.payout.partner === undefined) return;
  const end = await parts.endOfExchange(session.transaction, session.order.id);
  if (end?.kind === "finished")
    session.take({
      kind: "complete_payment",
      txId: end.txId,
      delivered: toMinor(end.delivered),
      market: session.market,
      at: session.at,
    });
  if (end?.kind === "gone") session.take({ kind: "provider_failed", partner: end.partner, at: session.at });
}

function reroute(session: OrderSession): void {
  if (session.state().kind === "rerouting" && session.market !== null)
    session.take({ kind: "reroute", market: session.market, at: session.at });
}

async function reviewWrongAssets(parts: AdvanceParts, session: OrderSession): Promise<void> {
  const { slug } = session.state().terms.from;
  const wrong = session.deposits.filter(
    (deposit) => deposit.slug !== slug && deposit.reviewReason === null && deposit.height !== null,
  );
  const smallest = new Map([...new Set(wrong.map((one) => one.slug))].map((one) => [one, smallestDeposit(parts, one)]));
  const isDust = (deposit: DepositRow) => deposit.amount < (smallest.get(deposit.slug) ?? 0n);
  await reviewDust(parts, session, wrong.filter(isDust));
  for (const deposit of wrong) if (!isDust(deposit)) await setReview(parts, session, deposit, REVIEW_REASON.wrongAsset);
}

async function reviewSmallDeposits(parts: AdvanceParts, session: OrderSession): Promise<void> {
  const { terms } = session.state();
  const isDust = (deposit: DepositRow) =>
    isTooSmall(terms, deposit.amount) && !session.isRegistered(deposit) && deposit.height !== null;
  await reviewDust(parts, session, session.visible().filter(isDust));
}

/** Deposits that are too small to count wait for an operator; whoever sends them alerts nobody, and holds the order's row no longer for thousands. */
async function reviewDust(parts: AdvanceParts, session: OrderSession, dust: DepositRow[]): Promise<void> {
  if (dust.length === 0) return;
  await session.review(dust, REVIEW_REASON.dust);
  const { txId } = dust[0] ?? {};
  parts.log.info({ orderId: session.order.id, txId, count: dust.length }, "deposits are too small to count");
}

/** Each has several statements, while others wait for the accounts of the ledger. */
const STRAYS_AT_ONCE = 100;

/**
 * Refunds deposits that arrive after the order was settled where it has a refund address; others need review. Null when there is nothing
 * more to do for now.
 */
async function returnStrays(parts: AdvanceParts, session: OrderSession): Promise<"are left" | "wait for a fee" | null> {
  const state = session.state();
  if (!isSettled(state)) return null;
  // Registered ones too, once credits are written: a reorganisation may have hidden one while the order was settled without it.
  const wasSettled = isSettled(session.order.state);
  const strays = session
    .visible()
    .filter((deposit) => deposit.creditedAt === null && (wasSettled || !session.isRegistered(deposit)))
    // Dust in a mempool is dust once a block has it.
    .filter((deposit) => session.isRegistered(deposit) || !isTooSmall(state.terms, deposit.amount));
  if (strays.length === 0) return null;
  const tip = await readTip(session.transaction, state.terms.from.networkTitle);
  const to = refundRecipient(state);
  const fee = parts.returnFee(state.terms.from.slug);
  const isDeep = ({ height }: DepositRow) => confirmationsAt(tip, height) >= state.terms.requiredConfirmations;
  // Before a block has it, whoever sent it can take it back: nobody is asked for it.
  const isReady = (deposit: DepositRow) => (to === null ? deposit.height !== null : fee !== null && isDeep(deposit));
  const ready = strays.filter(isReady);
  for (const deposit of ready.slice(0, STRAYS_AT_ONCE)) {
    if (to === null || fee === null) await setReview(parts, session, deposit, REVIEW_REASON.afterSettlement);
    else if (deposit.amount <= fee) await setReview(parts, session, deposit, REVIEW_REASON.smallerThanFee);
    else await returnStray(parts, session, deposit, to, fee);
  }
  if (ready.length > STRAYS_AT_ONCE) return "are left";
  return to !== null && fee === null ? "wait for a fee" : null;
}

async function setReview(
  parts: AdvanceParts,
  session: OrderSession,
  deposit: DepositRow,
  reason: string,
): Promise<void> {
  await session.review([deposit], reason);
  parts.log.error(
    { orderId: session.order.id, txId: deposit.txId, reason },
    "a deposit settles no order and needs review",
  );
}
