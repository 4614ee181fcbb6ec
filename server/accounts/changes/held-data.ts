import { sql, type Kysely } from "kysely";
import type { AccountExport } from "#contract/account.ts";
import type { Schema } from "../../db/schema.ts";

/** Orders, those of the archive included, earnings, withdrawals and notified browsers of an account, as it takes them along. */
export async function readHeldData(
  db: Kysely<Schema>,
  userId: bigint,
): Promise<Pick<AccountExport, "orders" | "earnings" | "withdrawals" | "notifiedBrowsers">> {
  const { rows: orders } = await sql<Row>`
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
  const earnings = await db
    .selectFrom("wallet_credits")
    .select(["id", "source", "slug as instrument", "amount", "state", "created_at as createdAt"])
    // What others exchange is theirs.
    .select(sql<string | null>`case when source = 'AFFILIATE' then null else order_reference end`.as("orderReference"))
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  const withdrawals = await db
    .selectFrom("withdrawals")
    .select(["id", "slug as instrument", "address", "amount", "network_fee as networkFee", "state"])
    .select(["client_key as clientAddress", "created_at as createdAt", "ended_at as endedAt"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  const notifiedBrowsers = await db
    .selectFrom("push_subscriptions as s")
    .innerJoin("sessions", "sessions.id", "s.session_id")
    .select(["s.endpoint", "s.locale", "s.created_at as createdAt"])
    .where("sessions.user_id", "=", userId)
    .where("sessions.ended_at", "is", null)
    .orderBy("s.id")
    .execute();
  return {
    orders: orders.map(asJson),
    earnings: earnings.map(asJson),
    withdrawals: withdrawals.map(asJson),
    notifiedBrowsers: notifiedBrowsers.map(asJson),
  };
}

type Row = Record<string, unknown>;

/** Amounts in minor units. */
const asJson = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === "bigint") return [name, value.toString()];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  );
