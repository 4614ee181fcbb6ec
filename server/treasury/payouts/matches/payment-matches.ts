import { sql, type RawBuilder, type Transaction } from "kysely";
import { OperatorError } from "../../../admin/index.ts";
import { isInProgress } from "../../../db/orders-in-progress.ts";
import * as z from "zod";
import type { Schema } from "../../../db/schema.ts";
import type { CorrectWithdrawal } from "../../port.ts";
import type { PayoutRow } from "../store.ts";
import { isOursSql } from "../unpayable-addresses.ts";

/** More that may be it, and don't fit what it paid, would hide those that do. */
const MAX_NAMED = 10;

/** `owes` is in minor units. */
export const mayBeSchema = z.array(
  z.object({
    id: z.string(),
    owner: z.string(),
    owes: z.string(),
    slug: z.string(),
    /** Where one address belongs to many. */
    memo: z.string().nullable(),
    /** Whether the unknown payment pays just that, as far as the chain shows it. */
    isSame: z.boolean(),
    /** Whether no transaction of it may still reach the chain: it would be signed. */
    isUnsigned: z.boolean(),
    /** Whether what was signed of it may reach the chain beside the unknown payment. */
    isBeside: z.boolean(),
  }),
);
export type MayBe = z.output<typeof mayBeSchema>[number];

const isUnsigned = sql`(p.state in ('intended', 'review') and not exists (
  select from payout_attempts a where a.payout_id = p.id and a.status in ('prepared', 'broadcast')))`;
const toAddress = sql`jsonb_build_object('to', p.to_address, 'slug', p.slug)`;
/** Whether a payment `u` that hides whom it pays may have paid `amount` of `slug`, by what has left the wallet. */
const mayHaveSent = (slug: string, amount: string) =>
  sql`(u.sent_amount is null or (u.sent_slug = ${sql.ref(slug)} and u.sent_amount = ${sql.ref(amount)}))`;
const isSame = sql`case when u.pays is null then ${mayHaveSent("p.slug", "p.amount")}
  else u.pays @> jsonb_build_array(${toAddress} || jsonb_build_object('amount', p.amount::text)) end`;
/** Whether an unknown payment `u` is known to have paid just what payment `p` owes. */
export const paysExactly = sql`(u.pays is not null or u.sent_amount is not null) and ${isSame}`;
/** Whether an unknown payment `u` may have made payment `p` of order `o`: it pays that address its coin, whatever sum, or hides whom it pays. */
export const mayHavePaid = sql`case when u.pays is null then o.created_at <= u.found_at and coalesce(u.sent_slug, p.slug) = p.slug
  else u.pays @> jsonb_build_array(${toAddress}) end`;
/** No payment is two transactions. */
const isBooked = sql`exists (select from payout_attempts a where a.payout_id = p.id and a.raw = '' and a.status in ('prepared', 'broadcast'))`;

/** Whether nothing that was signed of a payment `p` can reach the chain beside an unknown payment `u`: by their nonce or coins, as a wallet has seen it. */
const isExcluded = sql`exists (select from payout_handles h where h.payout_id = p.id and h.released_at is null
  and (u.tx_id = any(h.excluded_by) or u.handle->'keys' ? h.key))`;
const isBeside = sql`(not ${isUnsigned} and not ${isExcluded})`;

/** Of those that it may be, the ones that owe what it paid come first, and of these the ones that are not signed beside it. */
const paymentsItMayBe = (isNamed: RawBuilder<boolean>) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', p.id::text, 'owner', p.owner, 'owes', p.amount::text, 'slug', p.slug, 'memo', p.to_memo,
      'isSame', p.is_same, 'isUnsigned', p.is_unsigned, 'isBeside', p.is_beside) order by p.place) from (
    select p.*, row_number() over (order by p.is_same desc, p.is_beside, p.id) as place from (
      select p.id, p.slug, p.amount, p.to_memo, ${isSame} as is_same, ${isUnsigned} as is_unsigned, ${isBeside} as is_beside,
        coalesce('order ' || coalesce(p.order_id, d.order_id), 'withdrawal ' || p.withdrawal_id, p.purpose) as owner
      from payouts p left join deposits d on d.id = p.deposit_id
      where p.network = u.network and p.route = 'treasury' and (p.state = 'broadcast' or ${isUnsigned}) and not ${isBooked}
        and (${isSame} or (${isUnsigned} and p.purpose in ('payout', 'refund', 'withdrawal')
          and (u.pays is null or u.pays @> jsonb_build_array(${toAddress}))))
    ) p
  ) p where ${isNamed}), '[]')`;

/**
 * The payments that an unknown payment `u` may be, as JSON: those that are not made yet, as far as the rows know, and owe what it paid; and
 * those of orders and withdrawals that owe its address another amount of the same coin, since that may have been decided anew after a restore.
 * Where it hides whom it pays, the address is not compared. All that owe what it is known to have paid, and as many others as may be named.
 */
export const mayBePayments = paymentsItMayBe(
  sql`(p.place <= ${MAX_NAMED} or (p.is_same and (u.pays is not null or u.sent_amount is not null)))`,
);
/** The same, however many. */
export const allPaymentsItMayBe = paymentsItMayBe(sql`true`);

/**
 * Whether an unknown payment `u` may have returned what order `o` received, to an address that nobody knows any more: a refund is sent where
 * its customer says. It pays the coin of a deposit, and not more than came. Nobody is paid at our own addresses, which get the gas of sweeps.
 */
export const mayReturnDeposits = sql`(o.created_at <= u.found_at and exists (
  select from jsonb_array_elements(u.pays) x where (x->>'amount')::numeric <= (
    select sum(d.amount) from deposits d where d.order_id = o.id and d.network = u.network and d.slug = x->>'slug')
    and not ${sql.raw(isOursSql("u.network", "(x->>'to')"))}))`;

/** Whether an unknown payment `u` that hides whom it pays may be for order `o`: it may have paid anything on its network. */
export const isHiddenFor = sql`(u.pays is null and o.created_at <= u.found_at
  and u.network in (o.snapshot#>>'{terms,from,networkTitle}', o.snapshot#>>'{terms,to,networkTitle}'))`;

/** Whether an unknown payment `u` has sent just what exchange `e` of order `o` is to be paid, as far as the chain shows it. */
export const maySendToExchange = sql`case when u.pays is null then o.created_at <= u.found_at and ${mayHaveSent("e.from_slug", "e.amount")}
  else exists (select from jsonb_array_elements(u.pays) x where x->>'slug' = e.from_slug and (x->>'amount')::numeric = e.amount) end`;

/** An order that an unknown payment may have paid or refunded; `isOffered`: it may have been paid out by a new rate that nobody has accepted, by the rows. */
export const ordersSchema = z.array(z.object({ id: z.string(), isLikely: z.boolean(), isOffered: z.boolean() }));
export type MayBeOrder = z.output<typeof ordersSchema>[number];

const amount = sql`(x->>'amount')::numeric`;
/** What has left by a payment that hides whom it pays, as that of one that shows it, but for its recipient. */
const sentAsPays = sql`jsonb_build_array(jsonb_build_object('slug', u.sent_slug, 'amount', u.sent_amount::text))`;
const received = sql`(select sum(d.amount) from deposits d where d.order_id = o.id and d.network = u.network and d.slug = x->>'slug')`;

/**
 * Whether it is likely that an unknown payment `u` has paid or refunded order `o`, of those that it may have. This only ranks them: fees and rates
 * may be beyond what is usual. As a refund it pays what is left beside a fee that takes less than half, of all that came or of one deposit; as a payout what was
 * quoted for what came, within twice and half.
 */
const isLikely = sql`coalesce((u.pays is null and u.sent_amount is null) or exists (
  select from jsonb_array_elements(coalesce(u.pays, ${sentAsPays})) x where case
  when x->>'slug' = o.to_slug and coalesce(x->>'to', o.snapshot#>>'{terms,destination,address}') = o.snapshot#>>'{terms,destination,address}' then
    ${amount} * (o.snapshot#>>'{terms,claimedDepositAmount}')::numeric between quoted.amount * quoted.came / 2 and quoted.amount * quoted.came * 2
  else ${amount} * 2 >= ${received} or exists (select from deposits d where d.order_id = o.id and d.network = u.network
    and d.slug = x->>'slug' and ${amount} between d.amount / 2 and d.amount) end), false)`;

const isOffered = sql`(o.waiting_for is not distinct from 'customer_choice' and u.network = o.snapshot#>>'{terms,to,networkTitle}'
  and coalesce(u.pays @> jsonb_build_array(jsonb_build_object('to', o.snapshot#>>'{terms,destination,address}', 'slug', o.to_slug)), true))`;

/** Whether it has paid just what that rate pays. */
const isOfferPaid = sql`(${isOffered} and exists (select from jsonb_array_elements(coalesce(u.pays, ${sentAsPays})) x
  where x->>'slug' = o.to_slug and x->>'amount' = o.snapshot#>>'{offer,amount}'))`;

/** The orders, as JSON, those first whose new rate pays what it paid, and all of these, then the likely ones, whose payment or refund an unknown payment `u` may be, while no payment that it may be is decided for them. */
export const ordersThatMayBePaid = sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', o.id, 'isLikely', o.is_likely, 'isOffered', o.is_offered) order by o.place) from (
   select o.*, row_number() over (order by o.is_exact desc, o.is_likely desc, o.id) as place from (
    select o.id, ${isLikely} as is_likely, ${isOffered} as is_offered, ${isOfferPaid} as is_exact from (select * from orders where state = 'awaiting_deposit'
      union all select * from orders where ${isInProgress("state")}) o
    cross join lateral (select (o.snapshot#>>'{terms,quoted,amountTo}')::numeric as amount, coalesce((select sum(d.amount) from deposits d
      where d.order_id = o.id and d.slug = o.from_slug), (o.snapshot#>>'{terms,claimedDepositAmount}')::numeric) as came) quoted
    where (${isHiddenFor} or ${mayReturnDeposits} or exists (
      select from jsonb_array_elements(u.pays) x
      where (o.snapshot#>>'{terms,to,networkTitle}' = u.network and x->>'slug' = o.to_slug
          and x->>'to' = o.snapshot#>>'{terms,destination,address}')
        or (o.snapshot#>>'{terms,from,networkTitle}' = u.network and x->>'slug' = o.from_slug
          and x->>'to' in (o.snapshot#>>'{terms,refund,address}', o.snapshot#>>'{to,address}'))))
      and not exists (select from payouts p where p.order_id = o.id and p.route = 'treasury' and p.state <> 'returned'
        and (not ${isUnsigned} or u.pays is null or u.pays @> jsonb_build_array(${toAddress})))
   ) o
  ) o where o.is_exact or o.place <= ${MAX_NAMED}), '[]')`;

/** Dismissed, it frees payments that it may have been. */
export class PaysAgainError extends OperatorError {
  override name = "PaysAgainError";
  readonly again: { mayBe: MayBe[]; orders: MayBeOrder[] };

  constructor(again: { mayBe: MayBe[]; orders: MayBeOrder[] }) {
    super("What it paid would be paid again.");
    this.again = again;
  }
}

/** Where no withdrawals are at hand, only what owes exactly what was paid can be booked. */
export const correctsNoWithdrawal: CorrectWithdrawal = async (_, { txId, withdrawalId }) => {
  throw new OperatorError(`${txId} does not pay what withdrawal ${withdrawalId} owes.`);
};

/** What returns a deposit is never more than that was. */
export async function requireReceived(
  transaction: Transaction<Schema>,
  depositId: bigint,
  { txId, paid }: { txId: string; paid: bigint },
): Promise<void> {
  const { amount } = await transaction
    .selectFrom("deposits")
    .select("amount")
    .where("id", "=", depositId)
    .executeTakeFirstOrThrow();
  if (paid > amount) throw new OperatorError(`${txId} pays more than deposit ${depositId}, which it would return.`);
}

/** What has left by a payment that hides whom it pays; null where that isn't known. */
export const sentSchema = z
  .object({ slug: z.string(), amount: z.string().transform((text) => BigInt(text)) })
  .nullable();
export type Sent = z.output<typeof sentSchema>;

export const isOfOrder = (purpose: PayoutRow["purpose"]): purpose is "payout" | "refund" =>
  purpose === "payout" || purpose === "refund";

type Paid = { pays: { to: string; slug: string; amount: string }[] | null; sent: Sent };

/** Whether a payment has paid the recipient and the coin of another one, or hides whether it has. */
export const mayPay = ({ pays, sent }: Paid, { toAddress, slug }: Pick<PayoutRow, "toAddress" | "slug">): boolean =>
  pays?.some((one) => one.to === toAddress && one.slug === slug) ?? (sent === null || sent.slug === slug);

/**
 * What a payment has paid of what another one owes; where it hides whom it pays, what has left, or just that. Throws `OperatorError` where it
 * paid something else.
 */
export function paidAmount(
  { pays, sent, mayBe }: Paid & { mayBe: MayBe[] },
  payout: Pick<PayoutRow, "id" | "purpose" | "slug" | "toAddress" | "amount">,
  txId: string,
): bigint {
  if (pays === null && sent === null) return payout.amount;
  const received =
    pays?.filter(({ to, slug }) => to === payout.toAddress && slug === payout.slug) ??
    [sent].flatMap((one) => (one?.slug === payout.slug ? [one] : []));
  const amounts = received.map(({ amount }) => BigInt(amount));
  if (amounts.includes(payout.amount)) return payout.amount;
  const [amount] = amounts;
  if (amount === undefined || !(isOfOrder(payout.purpose) || payout.purpose === "withdrawal"))
    throw new OperatorError(`${txId} does not pay what payment ${payout.id} owes.`);
  // Each of our transactions makes one payment.
  if (amounts.length > 1)
    throw new OperatorError(
      `${txId} pays ${payout.toAddress} ${amounts.length === 2 ? "twice" : `${amounts.length} times`}, which no payment of ours does, and neither what payment ${payout.id} owes.`,
    );
  const same = mayBe.find(({ isSame }) => isSame);
  if (same !== undefined)
    throw new OperatorError(`Payment ${same.id} of ${same.owner} owes exactly that: book it as that one.`);
  return amount;
}
