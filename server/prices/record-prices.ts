import { startLoop } from "../base/concurrency/loop.ts";
import type { Log } from "../base/logging/log.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { PriceSnapshot } from "../rates/port.ts";
import { coinPrices, pricedOf } from "./coins.ts";
import { MINUTE_MS } from "#contract/durations.ts";
import { createPriceHistory } from "./price-history.ts";

/** Whoever publishes a snapshot wakes the recorder; this finds what was missed. */
const RECORD_EVERY_MS = 10_000;
const PRUNE_EVERY_MS = 600_000;

export type RecorderParts = {
  database: Database;
  catalogue: Pick<Catalogue, "instruments">;
  priceSnapshots: { newest(): PriceSnapshot | null; onChange(listener: () => void): () => void };
  clock: { now(): Date };
  /** Whether this process is the one that writes the history. */
  mayWrite: () => Promise<boolean>;
  log: Log;
};

/** Writes the first price snapshot of every minute to the price history, and deletes what is older than its retention. */
export function startPriceRecorder(parts: RecorderParts): { stop(): Promise<void> } {
  const { database, catalogue, priceSnapshots, clock, mayWrite, log } = parts;
  const history = createPriceHistory(database);
  const coins = pricedOf(catalogue.instruments.values());
  let recordedMinute = Number.NaN;

  const record = async () => {
    const snapshot = priceSnapshots.newest();
    if (snapshot === null || minuteOf(snapshot) === recordedMinute || !(await mayWrite())) return false;
    await history.record(snapshot.at, coinPrices(coins, snapshot.prices));
    recordedMinute = minuteOf(snapshot);
    return false;
  };
  const prune = async () => (await mayWrite()) && history.prune(clock.now());
  const recording = startLoop("price history", RECORD_EVERY_MS, record, log);
  const pruning = startLoop("old prices", PRUNE_EVERY_MS, prune, log);
  const unsubscribe = priceSnapshots.onChange(recording.wake);
  return {
    async stop() {
      unsubscribe();
      await Promise.all([recording.stop(), pruning.stop()]);
    },
  };
}

const minuteOf = ({ at }: PriceSnapshot): number => Math.floor(at.getTime() / MINUTE_MS);
