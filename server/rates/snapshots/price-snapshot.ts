import { setBounded } from "../../base/bounded-map.ts";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { PriceSnapshot } from "../port.ts";
import * as z from "zod";
import type { Curve } from "../quote.ts";

/** How long a snapshot can be found again, in milliseconds of the business clock. */
const KEPT_MS = 3_600_000;
/** Held in memory: more than are published while a quote is valid, since every claim of an order names one. */
const RECENT = 64;

/** The price snapshots of this database, and the newest one in memory. */
export type PriceSnapshots = {
  newest(): PriceSnapshot | null;
  /** The snapshot of exactly that moment, while it is stored. */
  at(moment: Date): Promise<PriceSnapshot | null>;
  /** Stores a snapshot at `at`, or right after the newest one if the clock is behind it, and makes it the newest. */
  publish(made: PriceSnapshot): Promise<PriceSnapshot>;
  /** Reads what another process has published. */
  refresh(): Promise<void>;
  /** Deletes the price snapshots that no claim can name any more. */
  prune(now: Date): Promise<void>;
  onChange(listener: () => void): () => void;
};

export function createPriceSnapshots(database: Database): PriceSnapshots {
  let newest: PriceSnapshot | null = null;
  const listeners = new Set<() => void>();
  /** Oldest first. A stored snapshot never changes. */
  const recent = new Map<number, PriceSnapshot>();
  const table = () => database.kysely.selectFrom("price_snapshots").select(["at", "prices", "fees", "partners"]);

  const remember = (snapshot: PriceSnapshot): PriceSnapshot => {
    setBounded(recent, snapshot.at.getTime(), snapshot, RECENT);
    return snapshot;
  };

  const take = (snapshot: PriceSnapshot): void => {
    if (newest !== null && snapshot.at <= newest.at) return;
    newest = remember(snapshot);
    for (const listener of listeners) listener();
  };

  const publish = async (made: PriceSnapshot): Promise<PriceSnapshot> => {
    for (;;) {
      const at = newest !== null && made.at <= newest.at ? new Date(newest.at.getTime() + 1) : made.at;
      const { rows } = await sql<{ at: Date }>`
        insert into price_snapshots (at, prices, fees, partners)
        values (${at}, ${toJson(made.prices)}, ${toJson(made.fees)}, ${writeCurves(made.partners)})
        on conflict do nothing returning at`.execute(database.kysely);
      if (rows.length > 0) {
        const snapshot = { ...made, at };
        take(snapshot);
        return snapshot;
      }
      await refresh();
    }
  };

  const refresh = async (): Promise<void> => {
    const row = await table().orderBy("at", "desc").limit(1).executeTakeFirst();
    if (row) take(fromRow(row));
  };

  return {
    newest: () => newest,
    publish,
    refresh,
    at: async (moment) => {
      const known = recent.get(moment.getTime());
      if (known !== undefined) return known;
      const row = await table().where("at", "=", moment).executeTakeFirst();
      return row ? remember(fromRow(row)) : null;
    },
    prune: async (now) => {
      for (const at of recent.keys()) if (at < now.getTime() - KEPT_MS) recent.delete(at);
      await database.kysely
        .deleteFrom("price_snapshots")
        .where("at", "<", new Date(now.getTime() - KEPT_MS))
        .execute();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const toJson = (values: ReadonlyMap<string, bigint>): string =>
  JSON.stringify(Object.fromEntries([...values].map(([name, value]) => [name, value.toString()])));

const toMap = (values: Record<string, string>): ReadonlyMap<string, bigint> =>
  new Map(Object.entries(values).map(([name, value]) => [name, BigInt(value)]));

const fromRow = (row: {
  at: Date;
  prices: Record<string, string>;
  fees: Record<string, string>;
  partners: unknown;
}): PriceSnapshot => ({
  at: row.at,
  prices: toMap(row.prices),
  fees: toMap(row.fees),
  partners: readCurves(row.partners),
});

const amount = z.string().regex(/^\d+$/).transform(BigInt);
const curvesSchema = z.record(z.string(), z.array(z.tuple([amount, amount])));

/** Partners' quotes, as stored in a snapshot's row. */
const writeCurves = (curves: ReadonlyMap<string, Curve> = new Map()): string =>
  JSON.stringify(
    Object.fromEntries(
      [...curves].map(([key, curve]) => [
        key,
        curve.map(({ amountFrom, amountTo }) => [amountFrom.toString(), amountTo.toString()]),
      ]),
    ),
  );

const readCurves = (stored: unknown): ReadonlyMap<string, Curve> =>
  new Map(
    Object.entries(curvesSchema.parse(stored)).map(([key, points]) => [
      key,
      points.map(([amountFrom, amountTo]) => ({ amountFrom, amountTo })),
    ]),
  );
