import { sql, type Transaction } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { OperatorError, recordAction, type Operator } from "./operator-audit.ts";
import { liveAttempt, lockPayout, type PayoutRow } from "./payout-store.ts";

type Recipient = { address: string; memo: string | null };

/** Lets a held payment be signed anew; only where no attempt was made, or each is provably dead (engine law 5). */
export function retryPayout(database: Database, operator: Operator, id: bigint): Promise<void> {
  return changeHeld(database, operator, { action: "payout retry", id }, async (transaction, payout) => {
    await requireNoAttempt(transaction, payout);
    return resume(transaction, payout, "intended");
  });
}

/** Lets a held payment go on as it was: what was signed is sent again, what was not is signed. */
export function releasePayout(database: Database, operator: Operator, id: bigint): Promise<void> {
  return changeHeld(database, operator, { action: "payout release", id }, async (transaction, payout) => {
    await requireNoCancellation(transaction, payout);
    const attempt = await liveAttempt(transaction, payout.id);
    return resume(transaction, payout, attempt === null ? "intended" : "broadcast");
  });
}

/** Asks the worker for a refund of the order instead; `to` where the order has no refund address of its own. */
export function refundInsteadOfPayout(
  database: Database,
  operator: Operator,
  id: bigint,
  to: Recipient | null,
): Promise<void> {
  return changeHeld(database, operator, { action: "payout refund", id }, async (transaction, payout) => {
    if (payout.purpose !== "payout" || payout.orderId === null)
      throw new OperatorError("Only the payout of an order can become a refund.");
    await requireNoAttempt(transaction, payout);
    const order = await transaction
      .selectFrom("orders")
      .select(["state", sql<string | null>`snapshot->'terms'->'refund'->>'address'`.as("refund")])
      .where("id", "=", payout.orderId)
      .executeTakeFirst();
    if (order?.state !== "paying") throw new OperatorError(`The order is ${order?.state ?? "missing"}, not paying.`);
    if (to === null && order.refund === null)
      throw new OperatorError("The order has no refund address: name one with --to ADDRESS.");
    const after = { refund_address: to?.address ?? null, refund_memo: to?.memo ?? null };
    await transaction
      .updateTable("payouts")
      .set({ refund_requested_at: sql<Date>`now()`, ...after })
      .where("id", "=", payout.id)
      .execute();
    const due = { next_attempt_at: sql<Date>`now()` };
    await transaction.updateTable("orders").set(due).where("id", "=", payout.orderId).execute();
    return { ...after, refund: "requested" };
  });
}

async function changeHeld(
  database: Database,
  operator: Operator,
  { action, id }: { action: string; id: bigint },
  change: (transaction: Transaction<Schema>, payout: PayoutRow) => Promise<object>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const payout = await lockPayout(transaction, id);
    if (payout === null) throw new OperatorError(`There is no payment ${id}.`);
    if (payout.state !== "review") throw new OperatorError(`Payment ${id} is ${payout.state}, not in review.`);
    const after = await change(transaction, payout);
    const before = { state: payout.state, reason: payout.reviewReason };
    await recordAction(transaction, operator, { action, subject: `payout ${id}`, before, after });
  });
}

async function requireNoAttempt(transaction: Transaction<Schema>, payout: PayoutRow): Promise<void> {
  await requireNoCancellation(transaction, payout);
  const attempt = await liveAttempt(transaction, payout.id);
  if (attempt !== null)
    throw new OperatorError(`Its transaction ${attempt.txId} may still reach the chain: it is not provably dead yet.`);
}

async function requireNoCancellation(transaction: Transaction<Schema>, payout: PayoutRow): Promise<void> {
  const open = await transaction
    .selectFrom("payout_cancellations")
    .select("tx_id")
    .where("payout_id", "=", payout.id)
    .where("status", "=", "prepared")
    .executeTakeFirst();
  if (open !== undefined)
    throw new OperatorError(`The empty payment ${open.tx_id} is taking its place and is not final yet.`);
}

async function resume(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  state: "intended" | "broadcast",
): Promise<object> {
  await transaction
    .updateTable("payouts")
    .set({
      state,
      review_reason: null,
      review_at: null,
      failures: 0,
      resend_at: null,
      refund_requested_at: null,
      next_attempt_at: sql<Date>`now()`,
    })
    .where("id", "=", payout.id)
    .execute();
  return { state };
}
