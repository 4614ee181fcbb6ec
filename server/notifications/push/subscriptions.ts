import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { IS_LIVE } from "../outbox.ts";
import type { PushSubscriptions } from "./port.ts";

/** A customer's browsers, and those of people the order was shared with. */
const MAX_PER_ORDER = 10;
/** An order that is unpaid by then has no reader any more. */
const MAX_DAYS = 30;

export function createPushSubscriptions(database: Database): PushSubscriptions {
  const { kysely } = database;
  return {
    add: (orderId, { endpoint, p256dh, auth, locale, expiresAt }) =>
      inTransaction(database, async (transaction) => {
        // Locked, so that concurrent calls cannot exceed the maximum, and that it isn't archived meanwhile.
        const order = transaction.selectFrom("orders").select("id").where("id", "=", orderId).forUpdate();
        if ((await order.executeTakeFirst()) === undefined) return "ended";
        const known = await transaction
          .selectFrom("push_subscriptions")
          .select("endpoint")
          .where("order_id", "=", orderId)
          .execute();
        const isNew = known.every((one) => one.endpoint !== endpoint);
        if (isNew && known.length >= MAX_PER_ORDER) return "full";
        const values = { p256dh, auth, locale, expires_at: expiresAt };
        await transaction
          .insertInto("push_subscriptions")
          .values({ order_id: orderId, endpoint, ...values })
          .onConflict((conflict) => conflict.columns(["order_id", "endpoint"]).doUpdateSet(values))
          .execute();
        return "added";
      }),
    addToSession: (sessionId, { endpoint, p256dh, auth, locale, expiresAt }, asked) =>
      inTransaction(database, async (transaction) => {
        await transaction
          .deleteFrom("push_subscriptions")
          .where("endpoint", "=", endpoint)
          .where("session_id", "is not", null)
          .where("session_id", "<>", sessionId)
          .execute();
        const values = { endpoint, p256dh, auth, locale, expires_at: expiresAt };
        await transaction
          .insertInto("push_subscriptions")
          .values({ session_id: sessionId, is_asked_for: asked === "itself", ...values })
          .onConflict((conflict) =>
            conflict.column("session_id").doUpdateSet({ ...values, ...(asked === "itself" && { is_asked_for: true }) }),
          )
          .execute();
      }),
    async ofSession(sessionId) {
      const known = kysely.selectFrom("push_subscriptions").select("endpoint").where("session_id", "=", sessionId);
      return (await known.executeTakeFirst())?.endpoint ?? null;
    },
    async endOfSession(sessionId) {
      const { rows } = await sql<{ is_used: boolean }>`
        with ended as (delete from push_subscriptions where session_id = ${sessionId} returning endpoint)
        select exists (
          select from push_subscriptions other join ended using (endpoint) where other.order_id is not null
        ) as is_used`.execute(kysely);
      return rows[0]?.is_used ?? false;
    },
    async removeFromSession(sessionId) {
      await sql`
        delete from push_subscriptions s where s.session_id = ${sessionId} and not s.is_asked_for and not exists (
          select from push_subscriptions other where other.endpoint = s.endpoint and other.order_id is not null
        )`.execute(kysely);
    },
    async remove(orderId, endpoint) {
      await kysely
        .deleteFrom("push_subscriptions")
        .where("order_id", "=", orderId)
        .where("endpoint", "=", endpoint)
        .execute();
    },
    async drop(id) {
      await kysely.deleteFrom("push_subscriptions").where("id", "=", BigInt(id)).execute();
    },
    async prune() {
      await sql`
        delete from push_subscriptions s using orders o
        where o.id = s.order_id and (
          s.expires_at < now() or s.created_at < now() - make_interval(days => ${MAX_DAYS})
          or (o.state in ('completed', 'refunded') and not exists (
            select from outbox m where m.subscription_id = s.id and m.channel = 'push' and m.state = 'pending'
          ))
        )`.execute(kysely);
      await sql`
        delete from push_subscriptions s where s.session_id is not null and (
          s.expires_at < now() or not coalesce((select ${IS_LIVE} from sessions where sessions.id = s.session_id), false)
        )`.execute(kysely);
    },
  };
}
