import { sql, type Kysely } from "kysely";
import * as z from "zod";
import { OperatorError } from "../../admin/index.ts";
import { isInProgress } from "../../db/orders-in-progress.ts";
import type { Schema } from "../../db/schema.ts";
import { mayBePayments, mayBeSchema } from "../payouts/payable.ts";
import { paysSchema } from "../payouts/unknown-payments.ts";

/** What is known of an order that waits for its customer; `offered` is what its rate on record pays. */
export type OfferedOrder = { id: string; reference: string; offered: bigint | null };

/** What an operator says of the payment; null: nothing. `amount` is in minor units. */
export type NamedPayment = { txId: string | null; amount: bigint | null };

/** An undecided payment that may have paid an order out. */
type UnknownPayout = {
  txId: string;
  /** Null where its network hides it, and its wallet doesn't say it. */
  amount: bigint | null;
  isHidden: boolean;
  /** The open payment that owes just what it paid. */
  exact: string | null;
  /** Whether another order or payment may be what it paid as well. */
  isShared: boolean;
};

/**
 * The payment that shows that the customer of an order has accepted its new rate, and what it has paid. Throws `OperatorError` where none does,
 * or where an operator has to say that it is the one: it may have paid something else, or hides whom it pays. What an open payment owes
 * exactly is that payment.
 */
export async function provenPayout(
  db: Kysely<Schema>,
  order: OfferedOrder,
  named: NamedPayment,
): Promise<{ txId: string; amount: bigint }> {
  const all = await unknownPayoutsOf(db, order.id, named.amount);
  const asked = named.txId === null ? all : all.filter(({ txId }) => txId === named.txId);
  if (asked.length === 0)
    throw new OperatorError(
      `${named.txId === null ? "There is no undecided payment that" : `${named.txId} is no undecided payment that`} pays the destination of order ${order.reference} in the coin that it pays out: only its customer accepts its new rate.`,
    );
  const open = asked.filter(({ exact }) => exact === null);
  const [one, ...others] = open;
  if (one === undefined) throw new OperatorError(exactText(asked));
  const isNamed = named.txId !== null;
  const sure = open.filter((payout) => isProof(payout, order));
  const [proof] = isNamed ? [one] : sure;
  if (proof === undefined || (!isNamed && sure.length > 1))
    throw new OperatorError(
      `${[one, ...others].map(({ txId }) => txId).join(", ")} may have paid order ${order.reference} or something else. Where you know that it was this order, name it: --transaction ${one.txId}${one.amount === null ? " --amount AMOUNT" : ""}.`,
    );
  const amount = proof.amount ?? named.amount;
  if (amount === null) throw new OperatorError(`What ${proof.txId} pays is hidden: say it with --amount AMOUNT.`);
  if (named.amount !== null && named.amount !== amount)
    throw new OperatorError(`${proof.txId} has paid another amount than --amount says.`);
  return { txId: proof.txId, amount };
}

/** An undecided payment that may have paid an order out, so that its deposits can't be sent back; null where there is none. */
export async function unknownPayoutOf(
  db: Kysely<Schema>,
  order: OfferedOrder,
): Promise<{ txId: string; isProof: boolean } | null> {
  const open = (await unknownPayoutsOf(db, order.id, null)).filter(({ exact }) => exact === null);
  const found = open.find((one) => isProof(one, order)) ?? open[0];
  return found === undefined ? null : { txId: found.txId, isProof: isProof(found, order) };
}

/**
 * Whether an order may have been paid out since the backup that was restored: a payment that no row knows may be its payout, or the blocks of
 * the network that it pays on are not read yet. A refund that is decided meanwhile could never be booked as what it was.
 */
export async function mayBePaidOut(db: Kysely<Schema>, order: OfferedOrder & { network: string }): Promise<boolean> {
  const unread = await db
    .selectFrom("followed_networks")
    .select("network")
    .where("network", "=", order.network)
    .where("unread_since", "is not", null)
    .executeTakeFirst();
  return unread !== undefined || (await unknownPayoutOf(db, order)) !== null;
}

/** The amount that its rate on record pays is paid by chance to nobody else; another one by a later offer, or to whoever else may be paid there. */
const isProof = ({ amount, isHidden, isShared }: UnknownPayout, { offered }: OfferedOrder): boolean =>
  amount !== null && (amount === offered || (!isHidden && !isShared));

const exactText = (payouts: readonly UnknownPayout[]): string =>
  payouts.map(({ txId, exact }) => `${txId}: ${exact} owes exactly that, book it as that one`).join("; ") + ".";

/** `said` is what an operator says that a payment has paid which hides it. */
async function unknownPayoutsOf(db: Kysely<Schema>, orderId: string, said: bigint | null): Promise<UnknownPayout[]> {
  const { rows } = await sql<
    Record<"txId" | "destination" | "slug", string> & Record<"pays" | "mayBe" | "sent", unknown> & { isShared: boolean }
  >`
    select u.tx_id as "txId", u.pays, case when u.sent_slug = paid.to_slug then u.sent_amount::text end as sent, paid.to_slug as slug,
      paid.snapshot#>>'{terms,destination,address}' as destination, ${mayBePayments} as "mayBe",
      exists (select from (select * from orders where state = 'awaiting_deposit' union all select * from orders where ${isInProgress("state")}) o
        where o.id <> paid.id and o.created_at <= u.found_at and o.snapshot#>>'{terms,to,networkTitle}' = u.network and o.to_slug = paid.to_slug
          and (u.pays is null or o.snapshot#>>'{terms,destination,address}' = paid.snapshot#>>'{terms,destination,address}')
          and not exists (select from payouts p where p.order_id = o.id and p.route = 'treasury' and p.state <> 'returned')) as "isShared"
    from orders paid join unknown_payments u on u.network = paid.snapshot#>>'{terms,to,networkTitle}'
    where paid.id = ${orderId} and u.decision is null and (case when u.pays is null
      then paid.created_at <= u.found_at and (u.sent_slug is null or u.sent_slug = paid.to_slug)
      else u.pays @> jsonb_build_array(jsonb_build_object('to', paid.snapshot#>>'{terms,destination,address}', 'slug', paid.to_slug)) end)
    order by u.found_at, u.tx_id limit 10`.execute(db);
  return rows.flatMap(({ txId, destination, slug, isShared, ...row }) => {
    const pays = paysSchema.parse(row.pays);
    const received = pays?.filter((one) => one.to === destination && one.slug === slug);
    // Each of our transactions makes one payment.
    if (received !== undefined && received.length !== 1) return [];
    const sent = z.string().nullable().parse(row.sent);
    const text = received?.[0]?.amount ?? sent;
    const amount = text === null ? null : BigInt(text);
    const mayBe = mayBeSchema.parse(row.mayBe);
    const owed = amount ?? said;
    const exact = mayBe.find(({ isSame, owes, slug: coin }) => isSame && coin === slug && BigInt(owes) === owed);
    return {
      txId,
      amount,
      isHidden: pays === null,
      exact: exact === undefined ? null : `payment ${exact.id} of ${exact.owner}`,
      isShared: isShared || mayBe.length > 0,
    };
  });
}
