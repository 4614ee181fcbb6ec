import { sql, type Kysely } from "kysely";
import * as z from "zod";
import { OperatorError } from "../../admin/index.ts";
import type { Schema } from "../../db/schema.ts";
import { allPaymentsItMayBe, mayBeSchema, mayHavePaid, paysExactly } from "../payouts/matches/payment-matches.ts";
import { paysSchema, unknownPaymentOfOrder } from "../payouts/unknown-payments.ts";

/** An order that waits for its customer; `offered` is what its rate on record pays, in minor units. */
type OfferedOrder = { id: string; reference: string; offered: bigint | null };

/** What an operator says of the payment; null: nothing. `amount` is in minor units. */
type NamedPayment = { txId: string | null; amount: bigint | null };

/** An undecided payment that may have paid an order out. */
type UnknownPayout = {
  txId: string;
  /** Null where its network hides it, and its wallet doesn't say it. */
  amount: bigint | null;
  /** The open payment that owes just what it paid; each is that of one only. */
  exact: string | null;
};

/** A rate that was offered soon after another one pays at most so many times as much, or that part of it. */
const MAX_CHANGE = 2n;

/**
 * The payment that shows that the customer of an order has accepted its new rate, and what it has paid. What an open payment owes exactly is
 * that payment. Throws `OperatorError` where none shows it, or where an operator has to say that it is the one: it has paid something else than
 * the rate on record, as by a later offer, or hides what.
 */
export async function provenPayout(
  db: Kysely<Schema>,
  order: OfferedOrder,
  named: NamedPayment,
): Promise<{ txId: string; amount: bigint }> {
  const { reference, offered } = order;
  const all = await unknownPayoutsOf(db, order.id, named);
  const asked = named.txId === null ? all : all.filter(({ txId }) => txId === named.txId);
  if (asked.length === 0)
    throw new OperatorError(
      `${named.txId === null ? "There is" : `${named.txId} is`} no undecided payment that pays the destination of order ${reference} in the coin that it pays out: only its customer accepts its new rate.`,
    );
  const open = asked.filter(({ exact }) => exact === null);
  const proof = open.find(({ amount }) => amount !== null && amount === offered);
  const chosen = named.txId === null ? proof : open[0];
  if (open[0] === undefined) throw new OperatorError(exactText(asked));
  if (chosen === undefined) throw new OperatorError(nameItText(open, reference));
  const { txId } = chosen;
  const amount = chosen.amount ?? named.amount;
  if (amount === null) throw new OperatorError(`What ${txId} pays is hidden: say it with --amount AMOUNT.`);
  if (named.amount !== null && named.amount !== amount)
    throw new OperatorError(`${txId} has paid another amount than --amount says.`);
  if (offered !== null && (amount > offered * MAX_CHANGE || amount * MAX_CHANGE < offered))
    throw new OperatorError(
      `${txId} has paid far more or less than the rate of order ${reference} pays: it is not its.`,
    );
  return { txId, amount };
}

/** An undecided payment that may have paid an order out, so that its deposits can't be sent back; null where there is none. */
export async function unknownPayoutOf(
  db: Kysely<Schema>,
  { id, offered }: OfferedOrder,
): Promise<{ txId: string; isProof: boolean } | null> {
  const open = (await unknownPayoutsOf(db, id, { txId: null, amount: null })).filter(({ exact }) => exact === null);
  const proof = open.find(({ amount }) => amount !== null && amount === offered);
  const found = proof ?? open[0];
  return found === undefined ? null : { txId: found.txId, isProof: proof !== undefined };
}

/**
 * Whether an order may have been paid, in whatever way, since the backup that was restored: a payment that no row knows may be its payout, its
 * refund, or what a partner was paid for it, or the blocks of one of its networks are not read yet. A refund that is decided meanwhile could
 * never be booked as anything else, and what it was paid for would be lost.
 */
export async function mayBePaidOut(
  db: Kysely<Schema>,
  { id, networks }: { id: string; networks: readonly string[] },
): Promise<boolean> {
  const unread = await db
    .selectFrom("followed_networks")
    .select("network")
    .where("network", "in", networks)
    .where("unread_since", "is not", null)
    .executeTakeFirst();
  return unread !== undefined || (await unknownPaymentOfOrder(db, id)) !== null;
}

/**
 * The undecided unknown payments that may have made a payout: what is refunded instead can never be booked as it, nor what goes to another
 * address. `isExact`: it pays its address just that, or hides whom it pays and has sent just that. Of a refund only those count that show whom they pay.
 * `isSaid`: an operator has said that it has not made it.
 */
export async function madeAlready(
  db: Kysely<Schema>,
  payoutId: bigint,
): Promise<{ txId: string; isExact: boolean; isSaid: boolean }[]> {
  const { rows } = await sql<{ txId: string; isExact: boolean; isSaid: boolean }>`
    select u.tx_id as "txId", ${paysExactly} as "isExact", u.tx_id = any(p.refund_beside) as "isSaid"
    from payouts p left join orders o on o.id = p.order_id
    join unknown_payments u on u.network = p.network and u.decision is null
    where p.id = ${payoutId} and p.route = 'treasury' and ${mayHavePaid}
      and (p.purpose = 'payout' or (p.purpose = 'refund' and u.pays is not null))
    order by u.found_at, u.tx_id`.execute(db);
  return rows;
}

/** Whether a refund that was asked for instead of a payout has to wait: an undecided payment may have made that. */
export const isRefundUncertain = async (db: Kysely<Schema>, payoutId: bigint): Promise<boolean> =>
  (await madeAlready(db, payoutId)).some(({ isExact, isSaid }) => isExact || !isSaid);

const exactText = (payouts: readonly UnknownPayout[]): string =>
  `${payouts.map(({ txId, exact }) => `${txId}: ${exact} owes exactly that, book it as that one`).join("; ")}.`;

const nameItText = (open: readonly UnknownPayout[], reference: string): string => {
  const named = open.map(({ txId, amount }) => `--transaction ${txId}${amount === null ? " --amount AMOUNT" : ""}`);
  return `What may have paid order ${reference} is not what its rate on record pays, or hides that: it may have been a withdrawal, another order, or a later rate of this one. Where you know that it was this order, name it: ${named.join(" or ")}.`;
};

/** `said` is what an operator says of one that hides what it has paid. */
async function unknownPayoutsOf(db: Kysely<Schema>, orderId: string, said: NamedPayment): Promise<UnknownPayout[]> {
  const { rows } = await sql<
    Record<"txId" | "destination" | "slug", string> & Record<"pays" | "mayBe" | "sent", unknown>
  >`
    select u.tx_id as "txId", u.pays, u.sent_amount::text as sent, paid.to_slug as slug,
      paid.snapshot#>>'{terms,destination,address}' as destination, ${allPaymentsItMayBe} as "mayBe"
    from orders paid join unknown_payments u on u.network = paid.snapshot#>>'{terms,to,networkTitle}'
    where paid.id = ${orderId} and u.decision is null and (case when u.pays is null
      then paid.created_at <= u.found_at and (u.sent_slug is null or u.sent_slug = paid.to_slug)
      else u.pays @> jsonb_build_array(jsonb_build_object('to', paid.snapshot#>>'{terms,destination,address}', 'slug', paid.to_slug)) end)
    order by u.found_at, u.tx_id`.execute(db);
  const taken = new Set<string>();
  return rows.flatMap(({ txId, destination, slug, ...row }) => {
    const pays = paysSchema.parse(row.pays);
    const received = pays?.filter((one) => one.to === destination && one.slug === slug);
    // Each of our transactions makes one payment.
    if (received !== undefined && received.length !== 1) return [];
    const text = received?.[0]?.amount ?? z.string().nullable().parse(row.sent);
    const amount = text === null ? null : BigInt(text);
    const expected = amount ?? (said.txId === null || said.txId === txId ? said.amount : null);
    const exact = mayBeSchema
      .parse(row.mayBe)
      .find((one) => one.isSame && one.slug === slug && BigInt(one.owes) === expected && !taken.has(one.id));
    if (exact !== undefined) taken.add(exact.id);
    return { txId, amount, exact: exact === undefined ? null : `payment ${exact.id} of ${exact.owner}` };
  });
}
