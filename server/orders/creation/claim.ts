import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

/** Whoever is signed in, and what orders of that account carry. */
export type Owner = { userId: bigint; email: string | null };

/** An order that may be claimed, and where it pays to. */
export type Claimable = { id: string; address: string; networkTitle: string };

/**
 * Adds those of these orders to an account that are a guest's, or its own, and that `opens` says yes to; gives their ids. Those that
 * a partner's program made are nobody's to claim. The account's
 * email becomes the order's where it has none that was confirmed. One read and one write, however many there are.
 */
export async function claimOrders(
  { kysely }: Pick<Database, "kysely">,
  { userId, email }: Owner,
  ids: readonly string[],
  now: Date,
  opens: (order: Claimable) => boolean,
): Promise<Set<string>> {
  // A partner's order earns its markup; claimed, it would earn a second time, for whoever has its link.
  const isNoPartners = sql`not exists (select from partner_orders p where p.order_id = orders.id)`;
  const isTheirs = sql`(user_id is null or user_id = ${userId})`;
  const { rows: found } = await sql<Claimable>`
    select id, snapshot #>> '{terms,destination,address}' as address, snapshot #>> '{terms,to,networkTitle}' as "networkTitle"
    from orders where id = any(${ids}::text[]) and ${isTheirs} and ${isNoPartners}`.execute(kysely);
  const opened = found.filter(opens).map(({ id }) => id);
  if (opened.length === 0) return new Set();
  const takesEmail = sql<boolean>`(${email}::text is not null and (o.user_email is null or not o.is_email_confirmed))`;
  // The owner's lock waits for a deletion of the account and keeps the next one out; orders are locked in one order, so that two who claim the
  // same ones wait for each other.
  const { rows } = await sql<{ id: string }>`
    with owner as materialized (select id from users where id = ${userId} and deleted_at is null for key share),
    mine as materialized (
      select o.id from owner, orders o
      where o.id = any(${opened}::text[]) and (o.user_id is null or o.user_id = owner.id) order by o.id for no key update of o
    )
    update orders o set user_id = ${userId},
      user_email = case when ${takesEmail} then ${email} else o.user_email end,
      email_set_at = case when ${takesEmail} then ${now}::timestamptz else o.email_set_at end,
      is_email_confirmed = o.is_email_confirmed or ${takesEmail}
    from mine where o.id = mine.id returning o.id`.execute(kysely);
  return new Set(rows.map(({ id }) => id));
}
