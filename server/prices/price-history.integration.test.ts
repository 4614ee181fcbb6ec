import { DAY_MS } from "#contract/durations.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { loadCatalogue } from "../catalogue/index.ts";
import { createPriceSnapshots } from "../rates/snapshots/price-snapshot.ts";
import { startPriceRecorder } from "./record-prices.ts";
import { createPriceHistory } from "./price-history.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty("price_minutes", "price_hours", "price_days", "price_snapshots"));

const NOON = new Date("2026-11-21T12:00:00.000Z");
const later = (ms: number): Date => new Date(NOON.getTime() + ms);
const ago = (ms: number): Date => later(-ms);
const prices = (btc: bigint) => new Map([["btc", btc]]);

async function stored(table: "price_minutes" | "price_hours" | "price_days"): Promise<[string, bigint][]> {
  const rows = await database.kysely.selectFrom(table).select(["at", "price"]).orderBy("at").execute();
  return rows.map(({ at, price }) => [at.toISOString(), price]);
}

describe("the price history", () => {
  it("has the first price of every minute, hour and day", async () => {
    const history = createPriceHistory(database);
    await history.record(later(1_000), prices(1n));
    await history.record(later(59_999), prices(2n));
    await history.record(later(60_000), prices(3n));
    await history.record(later(3_600_000), prices(4n));
    const [noon, one] = ["2026-11-21T12:00:00.000Z", "2026-11-21T13:00:00.000Z"];
    expect(await stored("price_minutes")).toEqual([
      [noon, 1n],
      ["2026-11-21T12:01:00.000Z", 3n],
      [one, 4n],
    ]);
    expect(await stored("price_hours")).toEqual([
      [noon, 1n],
      [one, 4n],
    ]);
    expect(await stored("price_days")).toEqual([["2026-11-21T00:00:00.000Z", 1n]]);
  });

  it("stores minutes for 48 hours, hours for 90 days and days for ever", async () => {
    const history = createPriceHistory(database);
    for (const days of [0, 2, 3, 90, 91, 400]) await history.record(ago(days * DAY_MS), prices(BigInt(days + 1)));
    expect(await history.prune(NOON)).toBe(false);
    expect((await stored("price_minutes")).map(([, price]) => price)).toEqual([3n, 1n]);
    expect((await stored("price_hours")).map(([, price]) => price)).toEqual([91n, 4n, 3n, 1n]);
    expect(await stored("price_days")).toHaveLength(6);
  });

  it("deletes a backlog in batches, and says while there may be more", async () => {
    await database.pool.query(
      "insert into price_minutes select 'btc', $1::timestamptz - n * interval '1 minute', 1 from generate_series(0, 10079) n",
      [NOON],
    );
    const history = createPriceHistory(database);
    expect(await history.prune(NOON)).toBe(true);
    expect(await stored("price_minutes")).toHaveLength(10_080 - 5_000);
    expect(await history.prune(NOON)).toBe(false);
    expect(await stored("price_minutes")).toHaveLength(48 * 60 + 1);
  });
});

describe("the price recorder", () => {
  const startRecorder = async (mayWrite: () => Promise<boolean>) => {
    const priceSnapshots = createPriceSnapshots(database);
    const recorder = startPriceRecorder({
      database,
      catalogue: await loadCatalogue({}),
      priceSnapshots,
      clock: { now: () => NOON },
      mayWrite,
      log: database.log,
    });
    const snapshot = (at: Date, eth: bigint) => ({ at, prices: new Map([["eth", eth]]), fees: new Map() });
    return { recorder, publish: (at: Date, eth: bigint) => priceSnapshots.publish(snapshot(at, eth)) };
  };

  it("writes snapshots as they are published, and leaves minutes without one as gaps", async () => {
    const { recorder, publish } = await startRecorder(async () => true);
    await publish(NOON, 1n);
    await vi.waitFor(async () => expect(await stored("price_minutes")).toHaveLength(1), 10_000);
    await publish(later(3_000), 2n);
    await publish(later(180_000), 3n);
    await vi.waitFor(async () => expect(await stored("price_minutes")).toHaveLength(2), 10_000);
    await recorder.stop();
    expect(await stored("price_minutes")).toEqual([
      ["2026-11-21T12:00:00.000Z", 1n],
      ["2026-11-21T12:03:00.000Z", 3n],
    ]);
  });

  it("writes nothing while another process has the lease", async () => {
    const mayWrite = vi.fn(async () => false);
    const { recorder, publish } = await startRecorder(mayWrite);
    await publish(NOON, 1n);
    // Once to delete, and once to record.
    await vi.waitFor(() => expect(mayWrite.mock.calls.length).toBeGreaterThanOrEqual(2), 10_000);
    await recorder.stop();
    expect(await stored("price_minutes")).toEqual([]);
  });
});
