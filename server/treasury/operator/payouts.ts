import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { PaymentRefusedError } from "../../chains/port.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, transactionTime } from "../../db/transaction.ts";
import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";
import { correctedPayoutEntries } from "../ledger/entries.ts";
import { post } from "../ledger/ledger.ts";
import { LARGE_PAYMENT, type ReviewReason } from "../payouts/failures.ts";
import { liveAttempts } from "../payouts/attempts.ts";
import { DEPOSIT_GONE } from "../payouts/limits/lost-deposits.ts";
import { confirmApproval, proposeApproval } from "../payouts/limits/approval.ts";
import { lockPayout, reservedHandle, type PayoutRow } from "../payouts/store.ts";
import { unknownPaymentOfOrder } from "../payouts/unknown-payments.ts";
import { madeAlready } from "./unknown-payouts.ts";
import { requireUnfunded } from "../payouts/matches/exchange-matches.ts";
import { isShort, NOT_STUCK } from "../payouts/replacement/stuck.ts";

type Recipient = { address: string; memo: string | null };

/**
 * Lets a held payment be signed anew, or tries one at once for which the hot wallet had too little; only where no attempt was made, or each is provably dead
 * (engine law 5).
 */
export function retryPayout(database: Database, operator: Operator, id: bigint): Promise<void> {
  return changeHeld(database, operator, { action: "payout retry", id }, async (transaction, payout) => {
    await requireNoAttempt(transaction, payout);
    const isWithoutDeposit = payout.reviewReason === DEPOSIT_GONE;
    return {
      ...(await resume(transaction, payout, "intended", isWithoutDeposit && { pays_without_deposit: true })),
      ...(isWithoutDeposit && { paysWithoutDeposit: true }),
    };
  });
}

/**
 * Lets a held payment go on as it was: what was signed is sent again, what was not is signed. A large one is only proposed, for another
 * operator to confirm; the result says so.
 */
export async function releasePayout(
  database: Database,
  operator: Operator,
  id: bigint,
): Promise<"released" | "proposed"> {
  let result: "released" | "proposed" = "released";
  await changeHeld(database, operator, { action: "payout release", id }, async (transaction, payout) => {
    requireUnpaid(payout);
    await requireNoCancellation(transaction, payout);
    if (payout.reviewReason === DEPOSIT_GONE)
      throw new OperatorError(
        `Payment ${id} goes on by itself once its deposit is back; "payout retry ${id}" pays it without the deposit.`,
      );
    if (payout.reviewReason === LARGE_PAYMENT) {
      await proposeApproval(transaction, operator, payout);
      result = "proposed";
      return { approval: "proposed" };
    }
    const attempts = await liveAttempts(transaction, payout.id);
    if (attempts.length === 0) requireUnrefused(payout);
    return resume(transaction, payout, attempts.length === 0 ? "intended" : "broadcast");
  });
  return result;
}

/** Ends a payment that moved less than was asked with what arrived: its order is complete, and what else was owed is ours. */
export function acceptPayout(database: Database, operator: Operator, id: bigint): Promise<void> {
  return changeHeld(database, operator, { action: "payout accept", id }, async (transaction, payout) => {
    const { arrived, spent, slug, amount } = payout;
    if (arrived === null || spent === null)
      throw new OperatorError(`Payment ${id} has moved nothing that is final and booked.`);
    const after = { state: "final", amount: arrived, review_reason: null, review_at: null } as const;
    await transaction.updateTable("payouts").set(after).where("id", "=", id).execute();
    const at = await transactionTime(transaction);
    const due = { next_attempt_at: at };
    if (payout.orderId !== null)
      await transaction.updateTable("orders").set(due).where("id", "=", payout.orderId).execute();
    if (payout.purpose === "sweep" && payout.sweepId !== null)
      await transaction.updateTable("sweeps").set({ state: "done" }).where("id", "=", payout.sweepId).execute();
    const isCustomers = payout.purpose === "payout" || payout.purpose === "refund";
    if (isCustomers && spent < amount) {
      const entries = correctedPayoutEntries(slug, spent - amount);
      await post(transaction, { kind: "payout_rest", sourceId: `${id}`, at, entries });
    }
    return { arrived, spent };
  });
}

/** Approves a large payment that another operator has proposed, and lets it go on. */
export function confirmPayout(database: Database, operator: Operator, id: bigint): Promise<void> {
  return changeHeld(database, operator, { action: "payout confirm", id }, async (transaction, payout) => {
    const proposedBy = await confirmApproval(transaction, operator, payout);
    await requireNoAttempt(transaction, payout);
    return { ...(await resume(transaction, payout, "intended")), proposedBy };
  });
}

/**
 * Asks the worker to refund an order instead of paying it out; `to` where the order has no refund address of its own. A refund
 * that its address refuses is sent to `to` instead. `isUnfunded`: no partner has got an unknown payment that may have paid the order's exchange.
 * `isUnpaid`: none that may have made the payout, with another sum or hidden, has made it.
 */
export function refundInsteadOfPayout(
  database: Database,
  operator: Operator,
  id: bigint,
  to: Recipient | null,
  { isUnfunded = false, isUnpaid = false }: { isUnfunded?: boolean | undefined; isUnpaid?: boolean | undefined } = {},
): Promise<void> {
  const refund = { action: "payout refund", id, isHeld: waitsForUnknown };
  return changeHeld(database, operator, refund, async (transaction, payout) => {
    if (payout.purpose !== "payout" && payout.purpose !== "refund")
      throw new OperatorError(`A payment for ${payout.purpose} can't become a refund.`);
    await hold(transaction, payout);
    await requireNoAttempt(transaction, payout);
    await requireNoHandle(transaction, payout);
    if (payout.purpose === "refund" && to === null)
      throw new OperatorError("It is a refund already: name another address with --to ADDRESS.");
    const beside = await requireUnmade(transaction, payout, isUnpaid);
    if (payout.depositId !== null && to !== null) return redirect(transaction, payout, payout.depositId, to);
    if (!isUnfunded) await requireUnfunded(transaction, payout.orderId, to?.address ?? null);
    return requestRefund(transaction, payout, { to, beside });
  });
}

/**
 * What an unknown payment has made could not be booked any more, and its customer would be paid and refunded. Returns those that may have made it, where
 * its operator knows that none has.
 */
async function requireUnmade(
  transaction: Transaction<Schema>,
  { id, network }: PayoutRow,
  isUnpaid: boolean,
): Promise<string[]> {
  const found = await madeAlready(transaction, id);
  const book = (txId: string) => `book it ("unknown-payment book ${network} ${txId} ${id} REASON --as NAME")`;
  const exact = found.find(({ isExact }) => isExact);
  if (exact !== undefined)
    throw new OperatorError(
      `${exact.txId} has paid just what payment ${id} owes: ${book(exact.txId)}, or decide first what else it is.`,
    );
  const [first] = found;
  if (first !== undefined && !isUnpaid)
    throw new OperatorError(
      `${first.txId} may have made payment ${id}: where it did, ${book(first.txId)}; where no payment of "unknown-payments" has, say --unpaid.`,
    );
  return found.map(({ txId }) => txId);
}

/** The network of a refund instead of a payment: that of the deposits. Throws `OperatorError`. */
export async function findRefundNetwork({ kysely }: Database, id: bigint): Promise<string> {
  const { rows } = await sql<{ network: string }>`
    select coalesce(o.snapshot->'terms'->'from'->>'networkTitle', p.network) as network
    from payouts p left join orders o on o.id = p.order_id where p.id = ${id}`.execute(kysely);
  if (rows[0] === undefined) throw new OperatorError(`There is no payment ${id}.`);
  return rows[0].network;
}

/** Lets a payment that no block takes be replaced as often as a new one, beginning now. */
export async function replacePayout(database: Database, operator: Operator, id: bigint): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const stuck = await transaction
      .selectFrom("payouts")
      .select(["stuck_reason as reason", "replacements"])
      .where("id", "=", id)
      .where("stuck_at", "is not", null)
      .where("state", "<>", "intended")
      .forUpdate()
      .executeTakeFirst();
    if (stuck === undefined) throw new OperatorError(`Payment ${id} is not stuck.`);
    const now = sql<Date>`now()`;
    const after = { replacements: 0, ...NOT_STUCK, replace_at: now, next_attempt_at: now };
    await transaction.updateTable("payouts").set(after).where("id", "=", id).execute();
    const action = { action: "payout replace", subject: `payout ${id}`, before: stuck, after: { replacements: 0 } };
    await recordAction(transaction, operator, action);
  });
}

async function requestRefund(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  { to, beside }: { to: Recipient | null; beside: string[] },
): Promise<object> {
  const order = await transaction
    .selectFrom("orders")
    .select(["state", sql<string | null>`snapshot->'terms'->'refund'->>'address'`.as("refund")])
    .where("id", "=", payout.orderId)
    .executeTakeFirst();
  if (order?.state !== "paying" && order?.state !== "refunding")
    throw new OperatorError(`The order is ${order?.state ?? "missing"}: it has nothing to refund.`);
  if (to === null && order.refund === null)
    throw new OperatorError("The order has no refund address: name one with --to ADDRESS.");
  const after = { refund_address: to?.address ?? null, refund_memo: to?.memo ?? null, refund_beside: beside };
  await transaction
    .updateTable("payouts")
    .set({ refund_requested_at: sql<Date>`now()`, ...after })
    .where("id", "=", payout.id)
    .execute();
  const due = { next_attempt_at: sql<Date>`now()` };
  await transaction.updateTable("orders").set(due).where("id", "=", payout.orderId).execute();
  return { ...after, refund: "requested" };
}

/** The return of a late deposit, to another address. */
async function redirect(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  depositId: bigint,
  { address, memo }: Recipient,
): Promise<object> {
  const named = { refund_address: address, refund_memo: memo };
  await transaction.updateTable("deposits").set(named).where("id", "=", depositId).execute();
  const recipient = { to_address: address, to_memo: memo };
  await transaction.updateTable("payouts").set(recipient).where("id", "=", payout.id).execute();
  return { ...(await resume(transaction, payout, "intended")), ...named };
}

async function changeHeld(
  database: Database,
  operator: Operator,
  {
    action,
    id,
    isHeld,
  }: { action: string; id: bigint; isHeld?: (tx: Transaction<Schema>, payout: PayoutRow) => Promise<boolean> },
  change: (transaction: Transaction<Schema>, payout: PayoutRow) => Promise<object>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const payout = await lockPayout(transaction, id);
    if (payout === null) throw new OperatorError(`There is no payment ${id}.`);
    await requireOurs(transaction, payout, action);
    if (!(await isHeld?.(transaction, payout))) requireHeld(payout);
    const after = await change(transaction, payout);
    const before = { state: payout.state, reason: payout.reviewReason ?? payout.stuckReason };
    await recordAction(transaction, operator, { action, subject: `payout ${id}`, before, after });
  });
}

/**
 * What a partner pays is never signed by us. It may become a refund while its exchange was not opened yet, since nothing was sent
 * there as far as the rows know.
 */
async function requireOurs(
  transaction: Transaction<Schema>,
  { id, route, orderId }: PayoutRow,
  action: string,
): Promise<void> {
  if (route !== "partner") return;
  const exchange = await transaction
    .selectFrom("partner_exchanges")
    .select(["id", "state"])
    .where("order_id", "=", orderId)
    .orderBy("n", "desc")
    .limit(1)
    .executeTakeFirst();
  const isUnopened = exchange?.state === "intended";
  if (!isUnopened || action !== "payout refund")
    throw new OperatorError(
      `A partner makes payment ${id} by exchange ${exchange?.id ?? "?"}, which is ${exchange?.state ?? "missing"}: its order goes on with the exchange's end${isUnopened ? `, or by "payout refund ${id}"` : ""}.`,
    );
}

/** Gives up the payment of a withdrawal that is held or not signed yet, of which nothing can reach the chain. Throws `OperatorError`. */
export async function returnUnsent(transaction: Transaction<Schema>, withdrawalId: bigint): Promise<void> {
  const row = await transaction
    .selectFrom("payouts")
    .select("id")
    .where("withdrawal_id", "=", withdrawalId)
    .executeTakeFirst();
  if (row === undefined) throw new OperatorError("It has no payment.");
  const payout = await lockExisting(transaction, row.id);
  if (payout.state !== "intended") requireHeld(payout);
  await requireNothingSigned(transaction, payout);
  await transaction
    .updateTable("payouts")
    .set({ state: "returned", next_attempt_at: null, ...NOT_STUCK })
    .where("id", "=", payout.id)
    .execute();
}

/** Locks a payment in review of which nothing can reach the chain any more. Throws `OperatorError` for any other. */
export async function requireUnsent(transaction: Transaction<Schema>, id: bigint): Promise<PayoutRow> {
  const payout = await lockExisting(transaction, id);
  requireHeld(payout);
  await requireNothingSigned(transaction, payout);
  return payout;
}

async function lockExisting(transaction: Transaction<Schema>, id: bigint): Promise<PayoutRow> {
  const payout = await lockPayout(transaction, id);
  if (payout === null) throw new OperatorError(`There is no payment ${id}.`);
  return payout;
}

async function requireNothingSigned(transaction: Transaction<Schema>, payout: PayoutRow): Promise<void> {
  await requireNoAttempt(transaction, payout);
  await requireNoHandle(transaction, payout);
}

function requireHeld(payout: PayoutRow): void {
  if (payout.state !== "review" && !isShort(payout))
    throw new OperatorError(`Payment ${payout.id} is ${payout.state}, not in review.`);
}

/** Whether it isn't signed because an unknown payment may have been made for its order: it may have refunded it. */
async function waitsForUnknown(transaction: Transaction<Schema>, { state, orderId }: PayoutRow): Promise<boolean> {
  return state === "intended" && orderId !== null && (await unknownPaymentOfOrder(transaction, orderId)) !== null;
}

/** Holds a payment that waits, so that it can't be signed beside what an operator has decided. */
async function hold(transaction: Transaction<Schema>, { id, state, stuckReason }: PayoutRow): Promise<void> {
  if (state !== "intended") return;
  await transaction
    .updateTable("payouts")
    .set({
      state: "review",
      review_reason: stuckReason ?? ("maybe_refunded" satisfies ReviewReason),
      review_at: sql<Date>`now()`,
      ...NOT_STUCK,
    })
    .where("id", "=", id)
    .execute();
}

/** What is signed as it was is refused as it was: somebody has to change what its destination, or our catalogue, says of it. */
function requireUnrefused({ id, purpose, reviewReason }: PayoutRow): void {
  if (!REFUSED.has(reviewReason)) return;
  const others: Partial<Record<PayoutRow["purpose"], string>> = {
    payout: `, otherwise "payout refund ${id}" sends the deposits back`,
    refund: `, otherwise "payout refund ${id}" sends it to another address`,
    sweep: `, otherwise "payout write-off ${id}" books that its coins are lost`,
  };
  throw new OperatorError(
    `Payment ${id} is held as ${reviewReason}, and nothing of it was signed that could go on: once it is accepted "payout retry ${id}" signs it${others[purpose] ?? ""}.`,
  );
}

/** Why nothing was signed. */
const REFUSED: ReadonlySet<string | null> = new Set<PaymentRefusedError["reason"]>([
  "destination_reverts",
  "gas_over_cap",
  "fee_over_cap",
  "fee_over_charge",
  "under_dust",
  "under_reserve",
]);

/** What has left would leave once more. */
function requireUnpaid({ id, arrived }: PayoutRow): void {
  if (arrived !== null)
    throw new OperatorError(`Payment ${id} has moved coins already: "payout accept ${id}" ends it with what arrived.`);
}

async function requireNoAttempt(transaction: Transaction<Schema>, payout: PayoutRow): Promise<void> {
  requireUnpaid(payout);
  await requireNoCancellation(transaction, payout);
  const attempt = (await liveAttempts(transaction, payout.id)).at(-1);
  if (attempt !== undefined)
    throw new OperatorError(`Its transaction ${attempt.txId} may still reach the chain: it is not provably dead yet.`);
}

async function requireNoHandle(transaction: Transaction<Schema>, payout: PayoutRow): Promise<void> {
  if ((await reservedHandle(transaction, payout.id)) !== null)
    throw new OperatorError("Its nonce or coins are still reserved; a worker frees them within minutes.");
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
  decided: { pays_without_deposit: true } | false = false,
): Promise<object> {
  await transaction
    .updateTable("payouts")
    .set({
      state,
      review_reason: null,
      review_at: null,
      failures: 0,
      resend_at: null,
      replacements: 0,
      ...NOT_STUCK,
      refund_requested_at: null,
      next_attempt_at: sql<Date>`now()`,
      ...decided,
    })
    .where("id", "=", payout.id)
    .execute();
  return { state };
}
