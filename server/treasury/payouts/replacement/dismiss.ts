import { sql, type Transaction } from "kysely";
import type { Schema } from "../../../db/schema.ts";
import { isInProgress } from "../../../db/orders-in-progress.ts";
import { OperatorError } from "../../../admin/index.ts";
import { liveAttempts } from "../attempts.ts";
import { decide, lockUnknown, type Named, type Unknown } from "../decide-unknown.ts";
import type { ReviewReason } from "../failures.ts";
import { requireNoWithdrawal, type WithdrawalCoins } from "../limits/lost-withdrawals.ts";
import { mayPay, PaysAgainError } from "../matches/payment-matches.ts";
import { lockPayout, type PayoutRow } from "../store.ts";
import { requireAbsent } from "./absent.ts";
import { NOT_STUCK } from "./stuck.ts";

type Held = Pick<PayoutRow, "id" | "purpose">;

/**
 * Decides that such a payment was made outside of this program. The ledger learns of it from the reconciler. Returns what may be paid again;
 * throws `OperatorError` where there is such, unless `paysAgain` says that it is known, where it may be a withdrawal, unless `adjusted` says
 * that no wallet has its sum again, and where it was booked and unbooked, unless `gone` says that it can never come back. `holds` is the
 * refund of an order which it has paid out, as an operator has found. `held` is that, or what would pay an order once more that such a payment has
 * paid, or a partner for it: it is held.
 */
export async function dismissUnknownPayment(
  transaction: Transaction<Schema>,
  {
    paysAgain = false,
    adjusted = false,
    gone = false,
    holds = null,
    ...named
  }: Named & { paysAgain?: boolean; adjusted?: boolean; gone?: boolean; holds?: bigint | null },
  catalogue: WithdrawalCoins,
): Promise<Pick<Unknown, "mayBe" | "orders"> & { held: Held | null }> {
  const { mayBe, orders, pays, sent, ...seen } = await lockUnknown(transaction, named);
  const refund = holds === null ? null : await holdRefund(transaction, { ...named, pays, sent }, holds);
  const again = {
    mayBe: mayBe.filter(({ id, isUnsigned }) => isUnsigned && id !== `${refund?.id}`),
    orders: orders.filter(({ id }) => id !== refund?.orderId),
  };
  if (!paysAgain && again.mayBe.length + again.orders.length > 0) throw new PaysAgainError(again);
  const slugs = pays?.map(({ slug }) => slug) ?? null;
  if (!adjusted) await requireNoWithdrawal(transaction, { ...named, slugs }, catalogue);
  const held = (await requireGone(transaction, { ...named, ...seen, pays, sent }, gone)) ?? refund;
  await decide(transaction, named, "not ours", null);
  return { ...again, held };
}

/**
 * What was booked once is the payment of its recipient: dismissed, it is made anew, and paid twice where its transaction comes back. Where a block has it
 * again and its row has become another payment, as the refund, nothing can be booked: that is held, and returned.
 */
async function requireGone(
  transaction: Transaction<Schema>,
  {
    network,
    txId,
    height,
    unbooked,
    ...paid
  }: Pick<Unknown, "height" | "unbooked" | "pays" | "sent"> & Omit<Named, "at">,
  isGone: boolean,
): Promise<Held | null> {
  if (unbooked === null || (await liveAttempts(transaction, unbooked)).length > 0) return null;
  if (height !== null) {
    const payout = await lockPayout(transaction, unbooked);
    const isOther = payout?.purpose === "refund" && !mayPay(paid, payout);
    if (isOther && (await holdUnsigned(transaction, unbooked))) return payout;
    if (payout?.purpose === "funding" && payout.state === "returned") return holdOrderOf(transaction, payout);
    throw new OperatorError(`Block ${height} has ${txId} again, which was booked as payment ${unbooked}: book it.`);
  }
  if (!isGone)
    throw new OperatorError(
      `${txId} was booked as payment ${unbooked}: where it comes back after that is paid anew, it is paid twice. Say --gone once a final block has its nonce or its coins in another transaction, or it has expired.`,
    );
  await requireAbsent(transaction, { network, txId }, unbooked);
  return null;
}

/**
 * The exchange that a payment has funded was abandoned meanwhile, and its order goes on otherwise: it has its partner's delivery all the same. Null where
 * nothing of the order is left to be paid.
 */
async function holdOrderOf(transaction: Transaction<Schema>, { exchangeId }: PayoutRow): Promise<Held | null> {
  const { rows } = await sql<Held & { isRouted: boolean }>`
    select p.id, p.purpose, p.state <> 'returned' and p.route = 'treasury' as "isRouted"
    from partner_exchanges e join orders o on o.id = e.order_id join payouts p on p.order_id = o.id
    where e.id = ${exchangeId} and ${isInProgress("o.state")} for update of p`.execute(transaction);
  const [payment] = rows;
  if (payment === undefined) return null;
  if (!payment.isRouted)
    throw new OperatorError("Its order is at another partner, or is about to be: dismiss it once that is over.");
  const isSigned = (await liveAttempts(transaction, payment.id)).length > 0;
  return !isSigned && (await holdUnsigned(transaction, payment.id)) ? payment : null;
}

/** A refund that was decided although such a payment had paid its order out: it can't be booked as that any more. Throws `OperatorError` for any other. */
async function holdRefund(
  transaction: Transaction<Schema>,
  { network, txId, ...paid }: Pick<Unknown, "pays" | "sent"> & Omit<Named, "at">,
  id: bigint,
): Promise<Held & { orderId: string }> {
  const { rows } = await sql<Held & Record<"orderId" | "toAddress" | "slug", string>>`
    select p.id, p.purpose, o.id as "orderId", o.to_slug as slug, o.snapshot#>>'{terms,destination,address}' as "toAddress"
    from payouts p join orders o on o.id = p.order_id
    where p.id = ${id} and p.purpose = 'refund' and o.state = 'refunding' and o.snapshot#>>'{terms,to,networkTitle}' = ${network}
    for update of p`.execute(transaction);
  const [refund] = rows;
  if (refund === undefined || !mayPay(paid, refund))
    throw new OperatorError(`Payment ${id} refunds no order that ${txId} may have paid out.`);
  if ((await liveAttempts(transaction, id)).length > 0 || !(await holdUnsigned(transaction, id)))
    throw new OperatorError(`Payment ${id} was signed already, or is over.`);
  return refund;
}

/** What would pay its customer once more. */
async function holdUnsigned(transaction: Transaction<Schema>, id: bigint): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("payouts")
    .set({
      state: "review",
      review_reason: "recipient_paid" satisfies ReviewReason,
      review_at: sql<Date>`now()`,
      next_attempt_at: sql<Date>`now()`,
      ...NOT_STUCK,
    })
    .where("id", "=", id)
    .where("state", "in", ["intended", "review"])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
