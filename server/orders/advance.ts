import { toMinor } from "#contract/money.ts";
import { isSettled, returnPlace } from "./decide.ts";
import { returnStray } from "./effects.ts";
import { isRegistered, sumOf, withOrder, type OrderSession, type SessionParts } from "./session.ts";
import { confirmationsAt, holdDeposit, scheduleOrder, tipOf, type DepositRow } from "./store.ts";

/** A price that can't be had keeps a paid order waiting, never failing. */
const PRICE_RETRY_SECONDS = 2;

export type AdvanceParts = SessionParts & {
  /** What sending the instrument back costs now, in its own minor units; null while nobody can tell. */
  returnFee(slug: string): bigint | null;
};

/** Takes an order as far as its rows allow. True when it moved. */
export async function advance(parts: AdvanceParts, orderId: string): Promise<boolean> {
  const done = await withOrder(parts, orderId, async (session) => {
    await holdWrongAssets(parts, session);
    seeDeposits(session);
    await settle(session);
    await completePayment(session);
    const waitsForFee = await returnStrays(parts, session);
    const waitsForPrice = session.market === null && needsPrice(session);
    await scheduleOrder(session.transaction, orderId, waitsForPrice || waitsForFee ? PRICE_RETRY_SECONDS : null);
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
    });
  }
}

async function settle(session: OrderSession): Promise<void> {
  if (isSettled(session.state()) || session.market === null) return;
  const confirmed = await session.confirmed();
  if (confirmed === null) return;
  session.take({ kind: "settle", received: sumOf(confirmed), market: session.market, at: session.at });
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

async function holdWrongAssets(parts: AdvanceParts, session: OrderSession): Promise<void> {
  const { slug } = session.state().terms.give;
  for (const deposit of session.deposits) {
    if (deposit.slug !== slug && deposit.heldReason === null) await hold(parts, session, deposit, "wrong_asset");
  }
}

/** What comes after the end goes back by itself where the order says where to; else an operator decides. True while a fee is missing. */
async function returnStrays(parts: AdvanceParts, session: OrderSession): Promise<boolean> {
  const state = session.state();
  if (!isSettled(state)) return false;
  const strays = session.counted().filter((deposit) => deposit.creditedAt === null && !isRegistered(state, deposit));
  if (strays.length === 0) return false;
  const tip = await tipOf(session.transaction, state.terms.give.networkTitle);
  const to = returnPlace(state);
  const fee = parts.returnFee(state.terms.give.slug);
  for (const deposit of strays) {
    if (to === null) {
      await hold(parts, session, deposit, "after_settlement");
    } else if (confirmationsAt(tip, deposit.height) >= state.terms.requiredConfirmations && fee !== null) {
      if (deposit.amount <= fee) await hold(parts, session, deposit, "smaller_than_fee");
      else await returnStray(parts, session, deposit, to, fee);
    }
  }
  return to !== null && fee === null;
}

async function hold(parts: AdvanceParts, session: OrderSession, deposit: DepositRow, reason: string): Promise<void> {
  deposit.heldReason = reason;
  await holdDeposit(session.transaction, deposit.id, reason);
  parts.log.error(
    { orderId: session.order.id, txId: deposit.txId, reason },
    "a deposit settles no order and is held for an operator",
  );
}
