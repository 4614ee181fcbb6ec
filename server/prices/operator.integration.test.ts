import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { type CatalogueInstrument, loadCatalogue } from "../catalogue/index.ts";
import { createBackfill } from "./backfill-prices.ts";
import { priceMetrics } from "./metrics.ts";
import { runPricesCommand } from "./operator.ts";
import { createPriceHistory } from "./price-history.ts";

const USD = 10n ** 18n;
const DAY = 86_400_000;
const TODAY = new Date(Math.floor(Date.now() / DAY) * DAY);
const daysAgo = (days: number) => new Date(TODAY.getTime() - days * DAY);
const dayOf = (at: Date) => at.toISOString().slice(0, "2026-01-01".length);

let database: TestDatabase;
let instruments: Map<string, CatalogueInstrument>;
beforeAll(async () => {
  database = await freshDatabase();
  const eth = (await loadCatalogue({})).instruments.get("eth");
  instruments = new Map(eth && [["eth", eth]]);
});
afterAll(() => database.drop());
beforeEach(() => database.empty("price_minutes", "price_hours", "price_days", "price_backfills"));

const say = (...words: string[]) => runPricesCommand({ database, catalogue: { instruments } }, words);
const record = (days: number, symbol = "eth") =>
  createPriceHistory(database).record(daysAgo(days), new Map([[symbol, USD]]));
const missing = async () => (await priceMetrics(database)[0]?.read())?.map(({ labels, value }) => [labels, value]);

it("counts the days without a price inside a coin's history, and not before its first one or in what is older than two years", async () => {
  expect([await missing(), await say("prices", "gaps")]).toEqual([[], "no prices are stored"]);
  for (const days of [900, 10, 9, 6, 1]) await record(days);
  await record(3, "xmr");
  expect(await missing()).toEqual([
    [{ coin: "eth" }, 6],
    [{ coin: "xmr" }, 0],
  ]);
  expect(await say("prices", "gaps")).toBe(
    [
      `eth: ${dayOf(daysAgo(10))} to ${dayOf(daysAgo(1))}, 6 days missing`,
      `xmr: ${dayOf(daysAgo(3))} to ${dayOf(daysAgo(3))}, 0 days missing`,
    ].join("\n"),
  );
});

it("a refill has the worker ask for what no venue knew before", async () => {
  let isKnown = (at: number) => at < daysAgo(20).getTime() || at >= daysAgo(10).getTime();
  const steps = { "1d": DAY, "1h": DAY / 24, "1m": 60_000 };
  const next = createBackfill({
    database,
    catalogue: { instruments },
    clock: { now: () => new Date() },
    readCandles: async (_title, { timeframe, from, until }) => {
      const count = (until.getTime() - from.getTime()) / steps[timeframe];
      const times = Array.from({ length: count }, (_, n) => from.getTime() + n * steps[timeframe]);
      return { prices: new Map(times.filter((at) => isKnown(at)).map((at) => [at, USD])), isWhole: true };
    },
  });
  while (await next());
  expect(await missing()).toEqual([[{ coin: "eth" }, 10]]);
  isKnown = () => true;
  expect(await next()).toBe(false);
  expect(await say("prices", "refill", "ETH", "a", "venue", "has", "more", "--as", "ann")).toContain("of eth within");
  while (await next());
  expect(await missing()).toEqual([[{ coin: "eth" }, 0]]);
  const { rows } = await database.pool.query("select action, subject, operator, reason from operator_actions");
  const reason = "a venue has more";
  expect(rows).toEqual([{ action: "prices refill", subject: "price history of eth", operator: "ann", reason }]);
});

it("a refill of all coins is one of those in the catalogue, and changes nothing without a name, a reason and a coin", async () => {
  await database.pool.query(
    "insert into price_backfills values ('eth', 'price_days', now()), ('gone', 'price_days', now())",
  );
  for (const wrong of [
    ["refill"],
    ["refill", "gone", "why", "--as", "ann"],
    ["refill", "eth", "--as", "ann"],
    ["refill", "eth", "why"],
    ["gaps", "eth"],
    [],
  ])
    await expect(say("prices", ...wrong)).rejects.toThrow();
  const left = async () => (await database.pool.query("select symbol from price_backfills order by 1")).rows;
  expect(await left()).toEqual([{ symbol: "eth" }, { symbol: "gone" }]);
  expect(await say("prices", "refill", "*", "why", "--as", "ann")).toContain("of eth within");
  expect(await left()).toEqual([{ symbol: "gone" }]);
  expect(await say("status")).toBeNull();
});
