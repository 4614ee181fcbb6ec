import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** The days that a coin has prices of, of those that venues show; `missing` are without one between the first and the last. */
export type CoinDays = {
  readonly symbol: string;
  readonly first: Date;
  readonly last: Date;
  readonly missing: number;
};

/** By symbol; a coin without a price is left out. `daysBack` is how far the history is filled. */
export async function readPriceGaps({ kysely }: Database, daysBack: number): Promise<CoinDays[]> {
  const { rows } = await sql<CoinDays>`
    select symbol, min(at) as first, max(at) as last,
      (extract(epoch from max(at) - min(at)) / 86400)::int + 1 - count(*)::int as missing
    from price_days where at >= now() - make_interval(days => ${daysBack}::int) group by symbol order by symbol`.execute(
    kysely,
  );
  return rows;
}
