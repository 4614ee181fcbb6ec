import { DAY_MS, HOUR_MS } from "#contract/durations.ts";
import { startLoop, type TurnResult } from "../base/concurrency/loop.ts";
import type { Log } from "../base/logging/log.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { CandleReader, CandleTimeframe } from "../rates/market/port.ts";
import { createBackfillStore, type BackfillStore } from "./backfill-store.ts";
import { pricedOf } from "./coins.ts";
import { BUCKET_MS, type PriceTable } from "./price-history.ts";

/** A gap that comes to be while nothing is recorded is looked for again after this. */
const LOOK_EVERY_MS = HOUR_MS;
/** A part that a venue was away for is read again after this. */
const RETRY_MS = 6 * HOUR_MS;
/** Between two readings: the venues' limits are for the prices of now. */
const PAUSE_MS = 2_000;
/** As many candles as every venue shows at once. */
const CHUNK = 300;

/** How far back the days are filled. */
export const FILLED_DAYS = 730;
/** What is filled, the longest first, and how far back. */
const FILLED: readonly { table: PriceTable; timeframe: CandleTimeframe; backMs: number }[] = [
  { table: "price_days", timeframe: "1d", backMs: FILLED_DAYS * DAY_MS },
  { table: "price_hours", timeframe: "1h", backMs: 89 * DAY_MS },
  { table: "price_minutes", timeframe: "1m", backMs: 47 * HOUR_MS },
];

export type BackfillParts = {
  database: Database;
  catalogue: Pick<Catalogue, "instruments">;
  readCandles: CandleReader;
  clock: { now(): Date };
  /** Whether this process is the one that writes the history. */
  mayWrite: () => Promise<boolean>;
  log: Log;
};

/** Fills the price history from the venues' candles where nothing was recorded: before the first start, and while no worker ran. */
export function startPriceBackfill(parts: BackfillParts): { stop(): Promise<void> } {
  const fillNext = createBackfill(parts);
  const turn = async (): Promise<TurnResult> => ((await parts.mayWrite()) && (await fillNext()) ? PAUSE_MS : false);
  return startLoop("price backfill", LOOK_EVERY_MS, turn, parts.log);
}

/**
 * Reads candles for the next part of the history that has gaps; false when there is none. Each part is stored together with how far
 * the history is filled, so that whoever goes on does so from there. A time that no venue knows stays a gap, and is not asked for again; one that a venue
 * which was away may know is asked for again some hours later.
 */
export function createBackfill({
  database,
  catalogue,
  readCandles,
  clock,
}: Omit<BackfillParts, "mayWrite" | "log">): () => Promise<boolean> {
  const store = createBackfillStore(database);
  const symbols = pricedOf(catalogue.instruments.values()).map(({ symbol }) => symbol);
  const passed = new Map<string, Passed>();
  return async () => {
    for (const { table, timeframe, backMs } of FILLED) {
      const bucketMs = BUCKET_MS[table];
      const now = clock.now().getTime();
      // The running one is recorded.
      const end = Math.floor(now / bucketMs) * bucketMs;
      for (const symbol of symbols) {
        const oldest = Math.ceil((now - backMs) / bucketMs) * bucketMs;
        const key = `${table} ${symbol}`;
        if (now - (passed.get(key)?.since ?? now) >= RETRY_MS) passed.delete(key);
        const before = passed.get(key);
        const part = await nextPart(store, { table, symbol, oldest, end }, before?.until);
        if (part === null) continue;
        const { prices, isWhole } = await readCandles(symbol, { timeframe, ...part });
        const points = [...prices].map(([at, price]) => ({ at: new Date(at), price }));
        const isFilled = isWhole || points.length >= (part.until.getTime() - part.from.getTime()) / bucketMs;
        if (!isFilled || before !== undefined)
          passed.set(key, { since: before?.since ?? now, until: part.until.getTime() });
        await store.fill(table, symbol, points, passed.has(key) ? null : part.until);
        return true;
      }
    }
    return false;
  };
}

/** Up to where the history has been read since a part of it had to be left open, and when that was. */
type Passed = { readonly since: number; readonly until: number };

type Stretch = { table: PriceTable; symbol: string; oldest: number; end: number };

/** The next part that has gaps, after `passed` where a part before it was left open; what is whole is passed by. */
async function nextPart(
  store: BackfillStore,
  { table, symbol, oldest, end }: Stretch,
  passed: number | undefined,
): Promise<{ from: Date; until: Date } | null> {
  const bucketMs = BUCKET_MS[table];
  const filled = (await store.filledUntil(table, symbol))?.getTime() ?? 0;
  for (let from = Math.max(filled, oldest, passed ?? 0); from < end; from += CHUNK * bucketMs) {
    const part = { from: new Date(from), until: new Date(Math.min(end, from + CHUNK * bucketMs)) };
    const wanted = (part.until.getTime() - from) / bucketMs;
    if ((await store.count(table, symbol, part)) < wanted) return part;
    if (passed === undefined) await store.fill(table, symbol, [], part.until);
  }
  return null;
}
