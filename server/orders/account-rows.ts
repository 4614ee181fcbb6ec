import { sql, type Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { type AccountRows, exportedRow, type Join } from "../db/account-rows.ts";
import { transferArchivedOrders } from "../db/archived-orders.ts";
import type { Schema } from "../db/schema.ts";
import { hasUnfinishedOrder } from "./unfinished-orders.ts";

/** The orders of an account, those of the archive included, and what its programs ordered for its customers. */
export const orderRows: AccountRows = {
  tables: {
    orders: { joined: "move", deleted: "own", proved: "keep", exported: "orders" },
    archived_orders: { joined: "own", deleted: "own", proved: "keep", exported: "orders" },
    partner_orders: { joined: "move", deleted: "keep", proved: "keep", exported: "partnerOrders" },
    card_orders: { joined: "move", deleted: "keep", proved: "keep", exported: "cardOrders" },
  },
  async exportRows(db, userId) {
    const { rows: orders } = await sql<Record<string, unknown>>`
      with mine as (
        select o.* from orders o where o.user_id = ${userId}
        union all
        select r.* from archived_orders a, jsonb_populate_record(null::public.orders, a.document #> '{orders,0}') r
        where a.user_id = ${userId}
      )
      select id as "orderId", reference, state, rate_mode as "rateMode", from_slug as "instrumentFrom", to_slug as "instrumentTo",
        user_email as "userEmail", locale, referrer_id as "referrerId", utm_data as "utmData",
        snapshot #>> '{terms,destination,address}' as "destinationAddress", created_at as "createdAt", completed_at as "completedAt"
      from mine order by created_at desc, id`.execute(db);
    const partnerOrders = await db
      .selectFrom("partner_orders")
      .select([
        "order_id as orderId",
        "external_id as externalId",
        "markup_bps as markupBps",
        "created_at as createdAt",
      ])
      .where("user_id", "=", userId)
      .orderBy("n")
      .execute();
    const cardOrders = await db
      .selectFrom("card_orders")
      .select(["order_id as orderId", "provider", "direction", "merchant_id as merchantId", "created_at as createdAt"])
      .where("user_id", "=", userId)
      .orderBy("id")
      .execute();
    return {
      orders: orders.map(exportedRow),
      partnerOrders: partnerOrders.map(exportedRow),
      cardOrders: cardOrders.map(exportedRow),
    };
  },
  refuseJoin: refuseSameExternalIds,
  whyOpen: async (transaction, userId) =>
    (await hasUnfinishedOrder(transaction, userId))
      ? { message: "An order of this account is not finished yet" }
      : null,
  onJoined: transferArchivedOrders,
  async onDeleted(transaction, userId) {
    await transaction
      .updateTable("orders")
      .set({ user_id: null, user_email: null, client_hash: null })
      .where("user_id", "=", userId)
      .execute();
    await transferArchivedOrders(transaction, { from: userId, to: null });
  },
};

/** A program that looks for its order by this name must not find another one's. */
async function refuseSameExternalIds(transaction: Transaction<Schema>, { from, to }: Join): Promise<void> {
  const { rows } = await sql`
    select from partner_orders a join partner_orders b on b.user_id = ${to} and b.external_id = a.external_id
    where a.user_id = ${from} limit 1`.execute(transaction);
  if (rows.length > 0)
    throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Orders of both accounts have the same externalId");
}
