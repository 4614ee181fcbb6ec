import { sql, type Transaction } from "kysely";
import * as z from "zod";
import type { Handle } from "../../chains/port.ts";
import type { Schema } from "../../db/schema.ts";
import { OperatorError } from "../../admin/index.ts";
import type { CorrectPayment, Corrected, CorrectWithdrawal } from "../port.ts";
import { isSendable, liveAttempts, storeAttempt, type Attempt } from "./attempts.ts";
import {
  correctsNoWithdrawal,
  isOfOrder,
  mayBePayments,
  mayBeSchema,
  ordersSchema,
  ordersThatMayBePaid,
  paidAmount,
  requireReceived,
  sentSchema,
  type MayBe,
  type MayBeOrder,
  type Sent,
} from "./matches/payment-matches.ts";
import { bookDifference } from "./replacement/booked-difference.ts";
import { loadPayout, lockPayout, releaseUnsigned, reservedHandle, reserveHandle, type PayoutRow } from "./store.ts";
import { adoptionTexts, exchangesPaidBy } from "./matches/exchange-matches.ts";
import { paysSchema } from "./unknown-payments.ts";

export type Named = { network: string; txId: string; at: Date };
/** `sent` is what has left by one that hides whom it pays; null where that isn't known. */
export type Unknown = {
  pays: z.output<typeof paysSchema>;
  sent: Sent;
  handle: Handle | null;
  mayBe: MayBe[];
  orders: MayBeOrder[];
  height: number | null;
  /** The payment that it was booked as before. */
  unbooked: bigint | null;
};

const handleSchema = z.object({ keys: z.array(z.string()), data: z.record(z.string(), z.unknown()) }).nullable();

/** What was booked: the amount that was owed before, the one that was paid, and what a wallet lacks of a withdrawal's difference, in its own coin. */
export type Booked = { slug: string; owed: bigint; paid: bigint; missing: Corrected["missing"] | null };

/**
 * Decides that such a payment is the one that a row still has to make: it is watched from here on and never made again. Where an order's
 * payment or a withdrawal's owes another amount, as one that was decided anew after a restore, it becomes what the chain shows. Throws `OperatorError` unless
 * the row waits for this payment, as far as the chain shows what it paid.
 */
export async function bookUnknownPayment(
  transaction: Transaction<Schema>,
  { network, txId, payoutId, at }: Named & { payoutId: bigint },
  correct: CorrectPayment,
  correctWithdrawal: CorrectWithdrawal = correctsNoWithdrawal,
): Promise<Booked> {
  const unknown = await lockUnknown(transaction, { network, txId });
  const expected = await loadPayout(transaction, payoutId);
  if (expected?.network !== network) throw new OperatorError(`${network} has no payment ${payoutId}.`);
  await requireOurs(transaction, payoutId, { network, txId });
  const paid = paidAmount(unknown, expected, txId);
  const isOther = paid !== expected.amount;
  // The order is locked before its payment.
  if (isOther && expected.orderId !== null && isOfOrder(expected.purpose))
    await correct(transaction, { orderId: expected.orderId, purpose: expected.purpose, txId, amount: paid, at });
  const corrected =
    isOther && expected.withdrawalId !== null
      ? await correctWithdrawal(transaction, { withdrawalId: expected.withdrawalId, txId, amount: paid, at })
      : null;
  if (isOther && expected.depositId !== null) await requireReceived(transaction, expected.depositId, { txId, paid });
  const payout = await lockPayout(transaction, payoutId);
  if (payout?.amount !== expected.amount || payout.purpose !== expected.purpose)
    throw new OperatorError(`Payment ${payoutId} has just become another one: look at it again.`);
  const live = await liveAttempts(transaction, payoutId);
  requireOpen(payout, live, isOther);
  requireUnbooked(payout, live);
  requireExcluded(unknown, live, { txId, payoutId });
  // Its bytes are unknown: it can be looked up, and never be sent again.
  const booked = { txId, raw: "", at, status: "broadcast", excludesReplaced: live.length > 0 } as const;
  await storeAttempt(transaction, payout, { ...booked, ...(isOther && { amount: paid }) });
  await transaction
    .updateTable("payouts")
    .set({
      state: "broadcast",
      amount: paid,
      review_reason: null,
      review_at: null,
      // A refund that was asked for instead would be made once the payment is held for another reason.
      refund_requested_at: null,
      refund_address: null,
      refund_memo: null,
      next_attempt_at: at,
    })
    .where("id", "=", payoutId)
    .execute();
  if (live.length === 0) await replaceHandle(transaction, payout, unknown.handle, txId);
  await decide(transaction, { network, txId, at }, "booked", payoutId);
  if (isOther && isOfOrder(payout.purpose))
    await bookDifference(transaction, payout, { txId, difference: paid - payout.amount, at });
  return { slug: payout.slug, owed: payout.amount, paid, missing: corrected?.missing ?? null };
}

/**
 * What its row had reserved for bytes that were never signed is for others again: the chain never sees it. What waits for a block uses its own
 * nonce as any payment does: no other payment gets it, and a gap below it is filled.
 */
async function replaceHandle(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  handle: Handle | null,
  txId: string,
): Promise<void> {
  const own = await reservedHandle(transaction, payout.id);
  if (handle !== null && own?.keys.join() === handle.keys.join()) return;
  await releaseUnsigned(transaction, payout.id);
  if ((await reservedHandle(transaction, payout.id)) !== null)
    throw new OperatorError(
      `An empty payment takes the nonce that payment ${payout.id} had reserved: wait until its block is final.`,
    );
  if (handle !== null && !(await reserveHandle(transaction, payout, handle)))
    throw new OperatorError(`Another payment has the nonce of ${txId}: wait until a block has one of the two.`);
}

/** One that is on its way may have been replaced after the backup was made, by one that pays the same. */
function requireOpen({ id, state }: PayoutRow, live: readonly Attempt[], isOther: boolean): void {
  const isUnsigned = live.length === 0 && ["intended", "review"].includes(state);
  if (!isUnsigned && state !== "broadcast") throw new OperatorError(`Payment ${id} was signed already, or is over.`);
  if (!isUnsigned && isOther)
    throw new OperatorError(`Payment ${id} was signed already for another amount, and may still reach the chain.`);
}

/** What was booked has bytes that nobody knows: nothing shows that the chain takes one of the two at most. */
function requireUnbooked({ id }: PayoutRow, live: readonly Attempt[]): void {
  const booked = live.find((attempt) => !isSendable(attempt));
  if (booked !== undefined)
    throw new OperatorError(`Payment ${id} was booked as ${booked.txId} already: no payment is two transactions.`);
}

/** What was signed of it is given up only where the chain can't take it beside this one (engine law 5). */
function requireExcluded(
  { mayBe }: Unknown,
  live: readonly Attempt[],
  { txId, payoutId }: Pick<Named, "txId"> & { payoutId: bigint },
): void {
  if (live.length === 0 || mayBe.some(({ id, isBeside }) => id === `${payoutId}` && !isBeside)) return;
  const own = live.map((attempt) => attempt.txId).join(", ");
  throw new OperatorError(
    `Payment ${payoutId} was signed already: ${own} may still reach the chain beside ${txId}, and both would be paid. Book ${txId} as another payment that it may be, or wait until a block has ${own}, or until it never can be mined.`,
  );
}

async function requireOurs(
  transaction: Transaction<Schema>,
  id: bigint,
  { network, txId }: Omit<Named, "at">,
): Promise<void> {
  const row = await transaction.selectFrom("payouts").select("route").where("id", "=", id).executeTakeFirst();
  if (row?.route !== "partner") return;
  const texts = adoptionTexts(await exchangesPaidBy(transaction, { network, txId }), txId);
  const next =
    texts.length === 0 ? 'Leave it undecided until the exchange has ended ("held")' : `It ${texts.join("; it ")}`;
  throw new OperatorError(`By its order a partner makes payment ${id}: ${txId} can't be booked as it. ${next}.`);
}

/** Locks an undecided one, and says what it may be. Throws `OperatorError` for any other. */
export async function lockUnknown(
  transaction: Transaction<Schema>,
  { network, txId }: Omit<Named, "at">,
): Promise<Unknown> {
  const { rows } = await sql<
    Record<"pays" | "sent" | "handle" | "mayBe" | "orders", unknown> & Pick<Unknown, "height" | "unbooked">
  >`
    select u.pays, u.height, u.unbooked_payout_id as unbooked, case when u.sent_slug is not null then jsonb_build_object('slug', u.sent_slug, 'amount', u.sent_amount::text) end as sent, case when u.height is null then u.handle end as handle, ${mayBePayments} as "mayBe", ${ordersThatMayBePaid} as orders from unknown_payments u
    where u.network = ${network} and u.tx_id = ${txId} and u.decision is null for update of u`.execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new OperatorError(`${network} has no undecided payment ${txId}.`);
  const handle = handleSchema.parse(row.handle);
  return {
    pays: paysSchema.parse(row.pays),
    sent: sentSchema.parse(row.sent),
    handle,
    mayBe: mayBeSchema.parse(row.mayBe),
    orders: ordersSchema.parse(row.orders),
    height: row.height,
    unbooked: row.unbooked,
  };
}

/** Stores the decision. */
export async function decide(
  transaction: Transaction<Schema>,
  { network, txId, at }: Named,
  decision: "booked" | "not ours",
  payoutId: bigint | null,
): Promise<void> {
  await transaction
    .updateTable("unknown_payments")
    .set({ decision, payout_id: payoutId, decided_at: at })
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .execute();
}
