import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { PricePoint, PriceTable } from "./price-history.ts";

export type BackfillStore = {
  /** Up to when a coin's prices have been filled; null where that has not begun. */
  filledUntil(table: PriceTable, symbol: string): Promise<Date | null>;
  /** How many times from `from` on, before `until`, have a price. */
  count(table: PriceTable, symbol: string, time: { from: Date; until: Date }): Promise<number>;
  /** Stores prices where none are, and that all up to `until` is filled: both, or nothing. With null it is filled no further than before. */
  fill(table: PriceTable, symbol: string, points: readonly PricePoint[], until: Date | null): Promise<void>;
};

export function createBackfillStore({ kysely }: Database): BackfillStore {
  return {
    async filledUntil(table, symbol) {
      const row = await kysely
        .selectFrom("price_backfills")
        .select("filled_until")
        .where("symbol", "=", symbol)
        .where("prices", "=", table)
        .executeTakeFirst();
      return row?.filled_until ?? null;
    },
    async count(table, symbol, { from, until }) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where symbol = ${symbol} and at >= ${from} and at < ${until}`.execute(
        kysely,
      );
      return rows[0]?.count ?? 0;
    },
    async fill(table, symbol, points, until) {
      const rows = JSON.stringify(points.map(({ at, price }) => ({ at: at.toISOString(), price: price.toString() })));
      await sql`
        with filled as (
          insert into ${sql.table(table)} (symbol, at, price)
          select ${symbol}, at, price from jsonb_to_recordset(${rows}::jsonb) as row(at timestamptz, price numeric)
          on conflict do nothing
        )
        insert into price_backfills (symbol, prices, filled_until)
        select ${symbol}, ${table}, until from (select ${until}::timestamptz as until) as filled where until is not null
        on conflict (symbol, prices) do update
          set filled_until = greatest(price_backfills.filled_until, excluded.filled_until)`.execute(kysely);
    },
  };
}
