import { sql, type Kysely } from "kysely";
import type { AccountExport } from "#contract/account.ts";
import type { Schema } from "../../db/schema.ts";

type HeldField =
  | "orders"
  | "earnings"
  | "withdrawals"
  | "monthlyPayout"
  | "referrals"
  | "webhooks"
  | "partnerOrders"
  | "cardOrders"
  | "notifiedBrowsers";

/** Orders, those of the archive included, earnings, withdrawals and notified browsers of an account, as it takes them along. */
export async function readHeldData(db: Kysely<Schema>, userId: bigint): Promise<Pick<AccountExport, HeldField>> {
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
    .select(["public_id as id", "source", "slug as instrument", "amount", "state", "created_at as createdAt"])
    // What others exchange is theirs.
    .select(sql<string | null>`case when source = 'AFFILIATE' then null else order_reference end`.as("orderReference"))
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const withdrawals = await db
    .selectFrom("withdrawals")
    .select(["public_id as id", "slug as instrument", "address", "amount", "network_fee as networkFee", "state"])
    .select(["paid_slug as paidInstrument", "paid_amount as paidAmount"])
    .select(["client_key as clientAddress", "created_at as createdAt", "ended_at as endedAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const notifiedBrowsers = await db
    .selectFrom("push_subscriptions as s")
    .innerJoin("sessions", "sessions.id", "s.session_id")
    .select(["s.endpoint", "s.locale", "s.created_at as createdAt"])
    .where("sessions.user_id", "=", userId)
    .where("sessions.ended_at", "is", null)
    .orderBy("s.id")
    .execute();
  const monthlyPayout = await db
    .selectFrom("monthly_payouts")
    .select(["address", "slug as instrument", "set_at as setAt", "month as lastMonth", "outcome"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const referrerIds = await db
    .selectFrom("referrer_ids")
    .select(["referrer_id as referrerId", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const { rows: clicks } = await sql<Row>`
    select day::text as day, clicks from referral_clicks where user_id = ${userId} order by day`.execute(db);
  const webhooks = await db
    .selectFrom("webhooks")
    .select(["id", "url", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const partnerOrders = await db
    .selectFrom("partner_orders")
    .select(["order_id as orderId", "external_id as externalId", "markup_bps as markupBps", "created_at as createdAt"])
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
    monthlyPayout: monthlyPayout === undefined ? null : asJson(monthlyPayout),
    referrals: { referrerIds: referrerIds.map(asJson), clicks: clicks.map(asJson) },
    webhooks: webhooks.map(asJson),
    partnerOrders: partnerOrders.map(asJson),
    cardOrders: cardOrders.map(asJson),
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
