import { DAY_MS, HOUR_MS, MINUTE_MS } from "#contract/durations.ts";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** How long prices are stored by minutes and by hours (contract §12); those by days are stored for ever. */
const RETENTION_MS = { price_minutes: 48 * HOUR_MS, price_hours: 90 * DAY_MS } as const;
/** A batch locks few rows, for milliseconds: a backlog never stops the writer. */
const PRUNE_BATCH = 5_000;

export type PriceTable = "price_minutes" | "price_hours" | "price_days";
export const BUCKET_MS: Readonly<Record<PriceTable, number>> = {
  price_minutes: MINUTE_MS,
  price_hours: HOUR_MS,
  price_days: DAY_MS,
};

/** A USD price scaled by 10^18. */
export type PricePoint = { at: Date; price: bigint };
type PricesOfCoins = ReadonlyMap<string, readonly PricePoint[]>;

/** What is read of a history: `from` and `to` are both included. */
export type PriceReader = {
  /** By symbol, oldest first; a coin without any price in that time is left out. */
  read(table: PriceTable, symbols: readonly string[], time: { from: Date; to: Date }): Promise<PricesOfCoins>;
  /** By symbol, the oldest price of all. */
  oldest(table: PriceTable, symbols: readonly string[]): Promise<ReadonlyMap<string, PricePoint>>;
  /** The lowest and the highest price of a coin in a time; null where it has none. */
  extremes(table: PriceTable, symbol: string, time: { from: Date; to: Date }): Promise<Extremes | null>;
};
export type Extremes = { low: bigint; high: bigint };

export type PriceHistory = PriceReader & {
  /** Stores prices (by symbol, USD scaled by 10^18) as those of their minute, hour and day, unless these have one already. */
  record(at: Date, prices: ReadonlyMap<string, bigint>): Promise<void>;
  /** Deletes a batch of what is older than its retention; true while there may be more. */
  prune(now: Date): Promise<boolean>;
};

/** The prices of coins in the database. A time in which nothing was recorded stays a gap. */
export function createPriceHistory(database: Database): PriceHistory {
  return {
    async record(at, prices) {
      const rows = JSON.stringify([...prices].map(([symbol, price]) => ({ symbol, price: price.toString() })));
      const start = (bucketMs: number) => new Date(Math.floor(at.getTime() / bucketMs) * bucketMs);
      await sql`
        with given as (select symbol, price from jsonb_to_recordset(${rows}::jsonb) as row(symbol text, price numeric)),
        minutes as (
          insert into price_minutes (symbol, at, price) select symbol, ${start(MINUTE_MS)}::timestamptz, price from given
          on conflict do nothing
        ),
        hours as (
          insert into price_hours (symbol, at, price) select symbol, ${start(HOUR_MS)}::timestamptz, price from given
          on conflict do nothing
        )
        insert into price_days (symbol, at, price) select symbol, ${start(DAY_MS)}::timestamptz, price from given
        on conflict do nothing`.execute(database.kysely);
    },
    async read(table, symbols, { from, to }) {
      // A row for each coin: a day's 1,440 rows would cost twice as much to parse.
      const { rows } = await sql<{ symbol: string; points: string }>`
        select symbol, string_agg(extract(epoch from at)::int8 || ' ' || price, ',' order by at) as points
        from ${sql.table(table)} where symbol = any(${[...symbols]}::text[]) and at >= ${from} and at <= ${to}
        group by symbol`.execute(database.kysely);
      return new Map(rows.map(({ symbol, points }) => [symbol, points.split(",").map(pointOf)]));
    },
    async oldest(table, symbols) {
      const { rows } = await sql<{ symbol: string } & PricePoint>`
        select s.symbol, p.at, p.price from unnest(${[...symbols]}::text[]) s(symbol) cross join lateral (
          select at, price from ${sql.table(table)} where symbol = s.symbol order by at limit 1) p`.execute(
        database.kysely,
      );
      return new Map(rows.map(({ symbol, at, price }) => [symbol, { at, price }]));
    },
    async extremes(table, symbol, { from, to }) {
      const { low, high } = await database.kysely
        .selectFrom(table)
        .select(({ fn }) => [fn.min("price").as("low"), fn.max("price").as("high")])
        .where("symbol", "=", symbol)
        .where("at", ">=", from)
        .where("at", "<=", to)
        .executeTakeFirstOrThrow();
      return low === null || high === null ? null : { low, high };
    },
    async prune(now) {
      const minutes = await pruneBatch(database, "price_minutes", now);
      const hours = await pruneBatch(database, "price_hours", now);
      return minutes || hours;
    },
  };
}

/** The lowest and the highest of some prices; null of none. */
export function extremesOf([first, ...others]: readonly bigint[]): Extremes | null {
  if (first === undefined) return null;
  return others.reduce(
    ({ low, high }, price) => ({ low: price < low ? price : low, high: price > high ? price : high }),
    { low: first, high: first },
  );
}

/** Every stored time begins a minute, so that it is whole seconds. */
function pointOf(text: string): PricePoint {
  const [seconds = "", price = ""] = text.split(" ");
  return { at: new Date(Number(seconds) * 1_000), price: BigInt(price) };
}

async function pruneBatch(database: Database, table: keyof typeof RETENTION_MS, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (symbol, at) in (
      select symbol, at from ${sql.table(table)} where at < ${new Date(now.getTime() - RETENTION_MS[table])}
      order by at limit ${PRUNE_BATCH}
    )`.execute(database.kysely);
  return numAffectedRows >= PRUNE_BATCH;
}
