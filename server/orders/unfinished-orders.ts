import { sql, type Transaction } from "kysely";
import { OWN_ROWS } from "../db/archived-orders.ts";
import { IS_IDLE_DUST } from "../db/idle-dust.ts";
import type { Schema } from "../db/schema.ts";

/** In these nothing of the customer's is with us, unless a deposit came late. */
const SETTLED = ["awaiting_deposit", "expired", "completed", "refunded"];
/** These bring a partner no markup any more: until one has expired, its customer may pay. */
const WITHOUT_MARKUP = ["expired", "completed", "refunded"];

/**
 * Whether an order of this account, or one that brings it a markup, is under way, or something of its customer's is with us or on its way: a deposit that waits for something,
 * a payment that is not final, an exchange at a partner.
 */
export async function hasUnfinishedOrder(transaction: Transaction<Schema>, userId: bigint): Promise<boolean> {
  const { rows } = await sql`
    with own as (
      select o.*, ${SETTLED}::text[] as settled from orders o where o.user_id = ${userId}
      union all
      select o.*, ${WITHOUT_MARKUP}::text[] from partner_orders p join orders o on o.id = p.order_id
      where p.user_id = ${userId} and p.markup_bps > 0
    )
    select from own o where (
      o.state <> all(o.settled)
      or exists (select from ${OWN_ROWS.deposits} d where not ${IS_IDLE_DUST} and (
        d.review_reason is not null or d.in_mempool or (d.credited_at is null and d.block_height is not null)))
      or exists (select from ${OWN_ROWS.payouts} p where p.purpose not in ('sweep', 'gas') and p.state not in ('final', 'returned'))
      or exists (select from partner_exchanges x where x.order_id = o.id and x.state not in ('finished', 'returned', 'abandoned')))
    limit 1`.execute(transaction);
  return rows.length > 0;
}
