import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { repeat } from "../../base/concurrency/loop.ts";
import { loadCatalogue } from "../../catalogue/index.ts";
import { createNetworkFees, type NetworkFees } from "./network-fees.ts";
import { createPriceSnapshots } from "./price-snapshot.ts";
import { createPricePublisher } from "./price-publisher.ts";
import { createMarketOverrides } from "../market/overrides.ts";
import { createMarketPrices } from "../market/prices.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty("price_snapshots", "market_overrides");
});

const NOON = new Date("2026-11-21T12:00:00.123Z");
const later = (ms: number): Date => new Date(NOON.getTime() + ms);
const snapshot = (at: Date, eth = 3n) => ({
  at,
  prices: new Map([["eth", eth]]),
  fees: new Map([["ETH:eth", 21_000n]]),
  partners: new Map([["changenow:eth:usdt-erc20", [{ amountFrom: 10n ** 18n, amountTo: 2_989_000_000n }]]]),
});
const count = async (): Promise<number> => (await database.pool.query("select 1 from price_snapshots")).rows.length;

describe("price snapshots", () => {
  it("are found again by their exact moment, also by another process", async () => {
    await createPriceSnapshots(database).publish(snapshot(NOON, 10n ** 30n));
    const other = createPriceSnapshots(database);
    expect(await other.at(NOON)).toEqual(snapshot(NOON, 10n ** 30n));
    expect(await other.at(later(1))).toBeNull();
    expect(other.newest()).toBeNull();
    await other.refresh();
    expect(other.newest()).toEqual(snapshot(NOON, 10n ** 30n));
  });

  it("never share a moment: the later one moves behind the newest", async () => {
    const priceSnapshots = createPriceSnapshots(database);
    await priceSnapshots.publish(snapshot(NOON, 1n));
    const second = await priceSnapshots.publish(snapshot(NOON, 2n));
    const third = await createPriceSnapshots(database).publish(snapshot(NOON, 3n));
    expect(second.at).toEqual(later(1));
    expect(third.at).toEqual(later(2));
    expect(await priceSnapshots.at(NOON)).toEqual(snapshot(NOON, 1n));
  });

  it("notify listeners of new prices, once", async () => {
    const priceSnapshots = createPriceSnapshots(database);
    const listener = vi.fn();
    const stop = priceSnapshots.onChange(listener);
    await priceSnapshots.publish(snapshot(NOON));
    await priceSnapshots.refresh();
    await priceSnapshots.refresh();
    expect(listener).toHaveBeenCalledTimes(1);
    await createPriceSnapshots(database).publish(snapshot(later(1_000)));
    await priceSnapshots.refresh();
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    await priceSnapshots.publish(snapshot(later(2_000)));
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it("are stored for an hour", async () => {
    const priceSnapshots = createPriceSnapshots(database);
    await priceSnapshots.publish(snapshot(NOON));
    await priceSnapshots.publish(snapshot(later(1)));
    await priceSnapshots.prune(later(3_600_000));
    expect(await count()).toBe(2);
    await priceSnapshots.prune(later(3_600_001));
    expect(await count()).toBe(1);
  });

  it("are read from the database once, since every claim names one", async () => {
    const [publisher, other] = [createPriceSnapshots(database), createPriceSnapshots(database)];
    for (const ms of [0, 1, 2]) await publisher.publish(snapshot(later(ms)));
    const read = await other.at(later(1));
    await database.empty("price_snapshots");
    expect(await other.at(later(1))).toBe(read);
    expect(await publisher.at(NOON)).toEqual(snapshot(NOON));
    expect(await other.at(NOON)).toBeNull();
  });

  it("are forgotten when they are deleted, and when many newer ones came", async () => {
    const priceSnapshots = createPriceSnapshots(database);
    await priceSnapshots.publish(snapshot(NOON));
    await priceSnapshots.publish(snapshot(later(3_600_000)));
    await priceSnapshots.prune(later(3_600_001));
    expect(await priceSnapshots.at(NOON)).toBeNull();
    for (let ms = 1; ms <= 64; ms += 1) await priceSnapshots.publish(snapshot(later(3_600_000 + ms)));
    await database.empty("price_snapshots");
    expect(await priceSnapshots.at(later(3_600_000))).toBeNull();
    expect(await priceSnapshots.at(later(3_600_001))).not.toBeNull();
  });

  it("reach a process that publishes none", async () => {
    const priceSnapshots = createPriceSnapshots(database);
    const reader = repeat("price snapshots", 10, () => priceSnapshots.refresh(), database.log);
    onTestFinished(() => reader.stop());
    await createPriceSnapshots(database).publish(snapshot(NOON));
    await vi.waitFor(() => expect(priceSnapshots.newest()?.at).toEqual(NOON), 10_000);
  });
});

describe("the publisher", () => {
  const NO_FEES: NetworkFees = { take: async () => new Map(), remember: () => undefined };
  const makerAt = (now: () => Date, fees = NO_FEES) => {
    const priceSnapshots = createPriceSnapshots(database);
    const overrides = createMarketOverrides(database);
    const maker = createPricePublisher({
      priceSnapshots,
      market: createMarketPrices({ feeds: [], overrides, log: database.log }),
      fees,
      clock: { now, refresh: async () => undefined },
      log: database.log,
    });
    onTestFinished(() => maker.stop());
    return { priceSnapshots, overrides, maker };
  };

  it("has in its snapshot what was set before the call, for any number of callers", async () => {
    const { maker, overrides } = makerAt(() => NOON);
    const first = maker.make();
    await overrides.set("eth", "2500.5", NOON);
    const [, ...made] = await Promise.all([first, maker.make(), maker.make()]);
    for (const one of made) expect(one?.prices.get("eth")).toBe(2_500_500_000_000_000_000_000n);
    expect(await count()).toBe(3);
  });

  it("continues from another process's snapshot, even when its own clock is behind", async () => {
    await createPriceSnapshots(database).publish(snapshot(later(60_000)));
    const { maker } = makerAt(() => NOON);
    expect((await maker.make())?.at).toEqual(later(60_001));
  });

  it("goes on with its predecessor's fees while its own networks have not answered", async () => {
    const hangs = { estimateFee: () => new Promise<bigint>(() => undefined) };
    const { instruments } = await loadCatalogue();
    const networks = new Map([["ETH", hangs]]);
    const fees = createNetworkFees({ instruments: instruments.values(), networks, log: database.log, timeoutMs: 20 });
    await createPriceSnapshots(database).publish({ ...snapshot(NOON), fees: new Map([["ETH:eth", 5n]]) });
    const { maker } = makerAt(() => later(3_000), fees);
    expect((await maker.make())?.fees).toEqual(new Map([["ETH:eth", 5n]]));
  });

  it("replaces a set price by a newer one", async () => {
    const { overrides } = makerAt(() => NOON);
    await overrides.set("eth", "1", NOON);
    await overrides.set("eth", "2", NOON);
    expect(await overrides.all()).toEqual(new Map([["eth", 2n * 10n ** 18n]]));
  });

  it("has a snapshot ready once it has started", async () => {
    const { maker, priceSnapshots } = makerAt(() => NOON);
    await maker.start();
    expect(priceSnapshots.newest()?.at).toEqual(NOON);
  });
});
