import { sql } from "kysely";
import { isInProgress } from "../../db/orders-in-progress.ts";
import * as z from "zod";
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
 * those of orders that owe its address another amount of the same coin, since that may have been decided anew after a restore.
 */
export const mayBePayments = sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', p.id::text, 'owner', p.owner, 'owes', p.amount::text, 'slug', p.slug, 'memo', p.to_memo,
      'isSame', p.is_same, 'isUnsigned', p.is_unsigned) order by p.is_same desc, p.id) from (
    select p.id, p.slug, p.amount, p.to_memo, ${isSame} as is_same, ${isUnsigned} as is_unsigned,
      coalesce('order ' || coalesce(p.order_id, d.order_id), 'withdrawal ' || p.withdrawal_id, p.purpose) as owner
    from payouts p left join deposits d on d.id = p.deposit_id
    where p.network = u.network and p.route = 'treasury' and (p.state = 'broadcast' or ${isUnsigned})
      and (${isSame} or (${isUnsigned} and p.purpose in ('payout', 'refund') and u.pays @> jsonb_build_array(${toAddress})))
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

/** The orders, as JSON, whose payment or refund an unknown payment `u` may be, while no payment that it may be is decided for them. */
export const ordersThatMayBePaid = sql`coalesce((
  select jsonb_agg(o.id order by o.id) from (
    select o.id from (select * from orders where state = 'awaiting_deposit'
      union all select * from orders where ${isInProgress("state")}) o
    where (${mayReturnDeposits} or exists (
      select from jsonb_array_elements(u.pays) x
      where (o.snapshot#>>'{terms,to,networkTitle}' = u.network and x->>'slug' = o.to_slug
          and x->>'to' = o.snapshot#>>'{terms,destination,address}')
        or (o.snapshot#>>'{terms,from,networkTitle}' = u.network and x->>'slug' = o.from_slug
          and x->>'to' in (o.snapshot#>>'{terms,refund,address}', o.snapshot#>>'{to,address}'))))
      and not exists (select from payouts p where p.order_id = o.id and p.route = 'treasury' and p.state <> 'returned'
        and (not ${isUnsigned} or u.pays @> jsonb_build_array(${toAddress})))
    order by o.id limit ${MAX_NAMED}
  ) o), '[]')`;
