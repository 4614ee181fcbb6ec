import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { sameWebhook } from "./store.ts";

/** Queues a delivery for each webhook of whoever made the order, in the transaction that decides something for it. */
export async function enqueueWebhooks(transaction: Transaction<Schema>, orderId: string): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, order_id, type, next_attempt_at)
    select w.id, p.order_id, 'order.updated', coalesce(
      (select max(e.next_attempt_at) from webhook_deliveries e
        where e.order_id = p.order_id and ${sameWebhook("e.webhook_id", sql.ref("w.id"))} and e.state = 'pending'), now())
    from partner_orders p join webhooks w on w.user_id = p.user_id where p.order_id = ${orderId}`.execute(transaction);
}
