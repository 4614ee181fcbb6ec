import { describe, expect, it } from "vitest";
import { createLog } from "../../base/logging/log.ts";
import type { MarketOverrides } from "./overrides.ts";
import type { MarketFeed } from "./port.ts";
import { createMarketPrices } from "./prices.ts";

const USD = 10n ** 18n;
const log = createLog({ level: "silent" });

/** A source with scripted answers, late ones, or none. */
class TestFeed implements MarketFeed {
  readonly name = "test";
  readonly refreshMs = 1_000;
  readonly validMs = 10_000;
  prices: Record<string, bigint> = {};
  fails = false;
  reads = 0;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  async read() {
    this.reads += 1;
    if (this.fails) throw new Error("the feed is down");
    const takenAt = new Date(this.now());
    return new Map(Object.entries(this.prices).map(([slug, usd]) => [slug, { usd, takenAt }]));
  }
}

function setup(feedCount = 1) {
  const time = { ms: 1_000_000 };
  const now = () => time.ms;
  const set = new Map<string, bigint>();
  const overrides: MarketOverrides = { all: async () => new Map(set), set: async () => undefined };
  const feeds = Array.from({ length: feedCount }, () => new TestFeed(now));
  const market = createMarketPrices({ feeds, overrides, log, now });
  const take = async (afterMs = 0) => {
    time.ms += afterMs;
    return market.take();
  };
  const [feed = new TestFeed(now), second = feed] = feeds;
  return { time, market, take, set, feed, second };
}

describe("market prices", () => {
  it("are a feed's, read at most as often as it allows", async () => {
    const { take, feed } = setup();
    feed.prices = { eth: 3000n * USD };
    expect((await take()).get("eth")).toBe(3000n * USD);
    feed.prices = { eth: 3001n * USD };
    expect((await take(500)).get("eth")).toBe(3000n * USD);
    expect((await take(500)).get("eth")).toBe(3001n * USD);
    expect(feed.reads).toBe(2);
  });

  it("outlive a feed that fails until they expire, and no longer", async () => {
    const { take, feed } = setup();
    feed.prices = { eth: 3000n * USD };
    await take();
    feed.fails = true;
    expect((await take(10_000)).get("eth")).toBe(3000n * USD);
    expect((await take(1)).has("eth")).toBe(false);
    feed.fails = false;
    expect((await take(1_000)).get("eth")).toBe(3000n * USD);
  });

  it.each([
    ["zero", 0n],
    ["absurd", 10n ** 30n],
    ["a jump", 3500n * USD],
  ])("are not quoted at %s, while others go on", async (_name, usd) => {
    const { take, feed } = setup();
    feed.prices = { eth: 3000n * USD, btc: 90_000n * USD };
    await take();
    feed.prices = { eth: usd, btc: 90_001n * USD };
    const prices = await take(1_000);
    expect(prices.has("eth")).toBe(false);
    expect(prices.get("btc")).toBe(90_001n * USD);
  });

  it("are not quoted when a second source disagrees; it replaces the first when that is down", async () => {
    const { take, feed, second } = setup(2);
    feed.prices = { eth: 3000n * USD };
    second.prices = { eth: 3160n * USD };
    expect((await take()).has("eth")).toBe(false);
    second.prices = { eth: 3100n * USD };
    expect((await take(1_000)).get("eth")).toBe(3000n * USD);
    feed.fails = true;
    expect((await take(11_000)).get("eth")).toBe(3100n * USD);
  });

  it("that were set stay set and skip the guard against jumps", async () => {
    const { take, feed, set } = setup();
    feed.prices = { eth: 3000n * USD };
    await take();
    set.set("eth", 9000n * USD);
    expect((await take(1_000)).get("eth")).toBe(9000n * USD);
    feed.fails = true;
    expect((await take(60_000)).get("eth")).toBe(9000n * USD);
    set.set("eth", 1n * USD);
    expect((await take()).get("eth")).toBe(USD);
  });

  it("that were set are read for every snapshot that is asked for, and now and then for the others", async () => {
    const { time, market, take, set } = setup();
    set.set("eth", 9000n * USD);
    await take();
    set.clear();
    set.set("btc", 8000n * USD);
    expect([...(await market.take({ mayRemember: true })).keys()]).toEqual(["eth"]);
    expect([...(await market.take()).keys()]).toEqual(["btc"]);
    set.clear();
    await take(14_000);
    set.set("eth", 7000n * USD);
    expect([...(await market.take({ mayRemember: true })).keys()]).toEqual([]);
    time.ms += 15_000;
    expect([...(await market.take({ mayRemember: true })).keys()]).toEqual(["eth"]);
  });

  it("that were set to zero stop quoting", async () => {
    const { take, feed, set } = setup();
    feed.prices = { eth: 3000n * USD };
    set.set("eth", 0n);
    expect((await take()).has("eth")).toBe(false);
  });

  it("return to the feed's level without a jump when a set price is removed", async () => {
    const { take, feed, set } = setup();
    feed.prices = { eth: 3000n * USD };
    set.set("eth", 9000n * USD);
    await take();
    set.delete("eth");
    expect((await take(1_000)).get("eth")).toBe(3000n * USD);
  });

  it("are compared with those from before a restart", async () => {
    const { market, take, feed } = setup();
    await market.remember(new Map([["eth", 3000n * USD]]));
    feed.prices = { eth: 300n * USD };
    expect((await take()).has("eth")).toBe(false);
  });
});
