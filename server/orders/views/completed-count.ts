import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

/** No order is completed later with a time that is so old. */
const SETTLED_MS = 86_400_000;

/** Adds the orders to the stored count that were completed since, all but those of the last day. */
export async function countCompletedOrders({ kysely }: Database, now: Date): Promise<void> {
  const until = new Date(now.getTime() - SETTLED_MS);
  await sql`
    update completed_orders known set counted_until = ${until},
      count = known.count + (select count(*) from orders where completed_at >= known.counted_until and completed_at < ${until})
    where known.counted_until < ${until}`.execute(kysely);
}
