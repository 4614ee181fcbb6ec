import { sql, type Transaction } from "kysely";
import { OperatorError } from "../../admin/index.ts";
import { isInProgress } from "../../db/orders-in-progress.ts";
import * as z from "zod";
import type { Schema } from "../../db/schema.ts";
import type { CorrectWithdrawal } from "../port.ts";
import { isOursSql } from "./unpayable-addresses.ts";

/** More would hide the line that names them. */
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
  }),
);
export type MayBe = z.output<typeof mayBeSchema>[number];

const isUnsigned = sql`(p.state in ('intended', 'review') and not exists (
  select from payout_attempts a where a.payout_id = p.id and a.status in ('prepared', 'broadcast')))`;
const toAddress = sql`jsonb_build_object('to', p.to_address, 'slug', p.slug)`;
const isSame = sql`(u.pays is null
  or u.pays @> jsonb_build_array(${toAddress} || jsonb_build_object('amount', p.amount::text)))`;

/**
 * The payments that an unknown payment `u` may be, as JSON: those that are not made yet, as far as the rows know, and owe what it paid; and
 * those of orders and withdrawals that owe its address another amount of the same coin, since that may have been decided anew after a restore.
 */
export const mayBePayments = sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', p.id::text, 'owner', p.owner, 'owes', p.amount::text, 'slug', p.slug, 'memo', p.to_memo,
      'isSame', p.is_same, 'isUnsigned', p.is_unsigned) order by p.is_same desc, p.id) from (
    select p.id, p.slug, p.amount, p.to_memo, ${isSame} as is_same, ${isUnsigned} as is_unsigned,
      coalesce('order ' || coalesce(p.order_id, d.order_id), 'withdrawal ' || p.withdrawal_id, p.purpose) as owner
    from payouts p left join deposits d on d.id = p.deposit_id
    where p.network = u.network and p.route = 'treasury' and (p.state = 'broadcast' or ${isUnsigned})
      and (${isSame} or (${isUnsigned} and p.purpose in ('payout', 'refund', 'withdrawal') and u.pays @> jsonb_build_array(${toAddress})))
    order by is_same desc, p.id limit ${MAX_NAMED}
  ) p), '[]')`;

/**
 * Whether an unknown payment `u` may have returned what order `o` received, to an address that nobody knows any more: a refund is sent where
 * its customer says. It pays the coin of a deposit, and not more than came. Nobody is paid at our own addresses, which get the gas of sweeps.
 */
export const mayReturnDeposits = sql`(o.created_at <= u.found_at and exists (
  select from jsonb_array_elements(u.pays) x where (x->>'amount')::numeric <= (
    select sum(d.amount) from deposits d where d.order_id = o.id and d.network = u.network and d.slug = x->>'slug')
    and not ${sql.raw(isOursSql("u.network", "(x->>'to')"))}))`;

/** An order that an unknown payment may have paid or refunded. */
export const ordersSchema = z.array(z.object({ id: z.string(), isLikely: z.boolean() }));
export type MayBeOrder = z.output<typeof ordersSchema>[number];

const amount = sql`(x->>'amount')::numeric`;
const received = sql`(select sum(d.amount) from deposits d where d.order_id = o.id and d.network = u.network and d.slug = x->>'slug')`;

/**
 * Whether it is likely that an unknown payment `u` has paid or refunded order `o`, of those that it may have. This only ranks them: fees and rates
 * may be beyond what is usual. As a refund it pays what is left beside a fee that takes less than half, of all that came or of one deposit; as a payout what was
 * quoted for what came, within twice and half.
 */
const isLikely = sql`coalesce(u.pays is null or exists (select from jsonb_array_elements(u.pays) x where case
  when x->>'slug' = o.to_slug and x->>'to' = o.snapshot#>>'{terms,destination,address}' then
    ${amount} * (o.snapshot#>>'{terms,claimedDepositAmount}')::numeric between quoted.amount * quoted.came / 2 and quoted.amount * quoted.came * 2
  else ${amount} * 2 >= ${received} or exists (select from deposits d where d.order_id = o.id and d.network = u.network
    and d.slug = x->>'slug' and ${amount} between d.amount / 2 and d.amount) end), false)`;

/** The orders, as JSON, the likely ones first, whose payment or refund an unknown payment `u` may be, while no payment that it may be is decided for them. */
export const ordersThatMayBePaid = sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', o.id, 'isLikely', o.is_likely) order by o.is_likely desc, o.id) from (
    select o.id, ${isLikely} as is_likely from (select * from orders where state = 'awaiting_deposit'
      union all select * from orders where ${isInProgress("state")}) o
    cross join lateral (select (o.snapshot#>>'{terms,quoted,amountTo}')::numeric as amount, coalesce((select sum(d.amount) from deposits d
      where d.order_id = o.id and d.slug = o.from_slug), (o.snapshot#>>'{terms,claimedDepositAmount}')::numeric) as came) quoted
    where (${mayReturnDeposits} or exists (
      select from jsonb_array_elements(u.pays) x
      where (o.snapshot#>>'{terms,to,networkTitle}' = u.network and x->>'slug' = o.to_slug
          and x->>'to' = o.snapshot#>>'{terms,destination,address}')
        or (o.snapshot#>>'{terms,from,networkTitle}' = u.network and x->>'slug' = o.from_slug
          and x->>'to' in (o.snapshot#>>'{terms,refund,address}', o.snapshot#>>'{to,address}'))))
      and not exists (select from payouts p where p.order_id = o.id and p.route = 'treasury' and p.state <> 'returned'
        and (not ${isUnsigned} or u.pays @> jsonb_build_array(${toAddress})))
    order by is_likely desc, o.id limit ${MAX_NAMED}
  ) o), '[]')`;

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
