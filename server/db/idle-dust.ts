import { sql } from "kysely";
import { REVIEW_REASON } from "./review-reasons.ts";

/** Written out, as in the index of these rows. */
const DUST = sql.lit(REVIEW_REASON.dust);

/** A deposit `d` too small to count, for which nothing is asked: whoever sends it keeps no order from the archive. */
export const IS_IDLE_DUST = sql<boolean>`(d.review_reason is not distinct from ${DUST}
  and d.credited_at is null and d.refund_requested_at is null and not d.in_mempool)`;

/** The same at an order that is over or archived: it waits for nobody. */
export const IS_DUST_OF_ENDED = sql<boolean>`(${IS_IDLE_DUST} and not exists (
  select 1 from orders ended where ended.id = d.order_id and ended.state not in ('completed', 'refunded', 'expired')))`;

/** Its address was not looked at since it came: the archive would make the next look find it once more. */
export const IS_UNSEEN_DUST = sql<boolean>`(${IS_IDLE_DUST} and exists (
  select 1 from deposit_addresses seen where seen.network = d.network and seen.address = d.address and seen.memo is null
    and seen.watched_from is not null and d.id > coalesce(seen.settled_deposit, 0)))`;

/** Of an order's dust the latest stands for all: an unknown sender may send thousands. True of every other deposit. */
export const IS_LATEST_DUST = sql<boolean>`not (${IS_IDLE_DUST} and exists (
  select 1 from deposits latest where latest.order_id = d.order_id and latest.review_reason = ${DUST} and latest.id > d.id))`;
