import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

/** No order is completed later with a time that is so old. */
const SETTLED_MS = 86_400_000;

/** Adds the orders to the stored counts, of all and of each pair, that were completed since, all but those of the last day. */
export async function countCompletedOrders({ kysely }: Database, now: Date): Promise<void> {
  const until = new Date(now.getTime() - SETTLED_MS);
  await sql`
    with known as (select counted_until from completed_orders where counted_until < ${until} for update),
    added as (
      select o.from_slug, o.to_slug, count(*) as count, max(o.completed_at) as last_completed_at from orders o, known
      where o.completed_at >= known.counted_until and o.completed_at < ${until} group by o.from_slug, o.to_slug
    ),
    pairs as (
      insert into completed_pairs as c (from_slug, to_slug, count, last_completed_at) select * from added
      on conflict (from_slug, to_slug) do update set count = c.count + excluded.count,
        last_completed_at = greatest(c.last_completed_at, excluded.last_completed_at)
    )
    update completed_orders set counted_until = ${until}, count = count + (select coalesce(sum(count), 0) from added)
    where exists (select from known)`.execute(kysely);
}
