import { sql } from "kysely";
import type { AffiliateStatistics } from "#contract/accounts/earnings.ts";
import { formatAmount } from "#contract/money.ts";
import { requireInstrument } from "../catalogue/index.ts";
import type { ReadParts } from "./read-earnings.ts";

type Row = { day: string | null; clicks: number; registrations: number; orders: number; earned: bigint };

/** What an account's link has brought: in all, and on each of the last days. */
export async function readStatistics(
  { database, catalogue }: ReadParts,
  userId: bigint,
  { days, now }: { days: number; now: Date },
): Promise<AffiliateStatistics> {
  const { earningsSlug: slug } = catalogue.terms;
  const instrument = requireInstrument(catalogue, slug);
  const { rows } = await sql<Row>`
    with happened as (
      select day, clicks, 0 as registrations, 0 as orders, 0::numeric as earned from referral_clicks where user_id = ${userId}
      union all
      select (created_at at time zone 'UTC')::date, 0, 1, 0, 0 from users where referrer_user_id = ${userId}
      union all
      select (created_at at time zone 'UTC')::date, 0, 0, 1, amount from wallet_credits
      where user_id = ${userId} and source = 'AFFILIATE' and state = 'completed' and slug = ${slug}
    ), today as (select (${now}::timestamptz at time zone 'UTC')::date as date)
    select d::date::text as day, sums.* from today
    cross join generate_series(today.date - ${days - 1}::int, today.date, interval '1 day') d
    cross join lateral (
      select coalesce(sum(clicks), 0)::int as clicks, coalesce(sum(registrations), 0)::int as registrations,
        coalesce(sum(orders), 0)::int as orders, coalesce(sum(earned), 0) as earned
      from happened where day = d::date) sums
    union all
    select null, coalesce(sum(clicks), 0)::int, coalesce(sum(registrations), 0)::int, coalesce(sum(orders), 0)::int,
      coalesce(sum(earned), 0) from happened
    order by 1`.execute(database.kysely);
  const figures = ({ clicks, registrations, orders, earned }: Row) => ({
    clicks,
    registrations,
    orders,
    earned: formatAmount(earned, instrument.decimals),
  });
  const none = { day: null, clicks: 0, registrations: 0, orders: 0, earned: 0n };
  return {
    currencyTitle: instrument.currencyTitle,
    networkTitle: instrument.networkTitle,
    ...figures(rows.find(({ day }) => day === null) ?? none),
    days: rows.flatMap((row) => (row.day === null ? [] : [{ date: row.day, ...figures(row) }])),
  };
}
