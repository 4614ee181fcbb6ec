import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { createLog } from "../base/logging/log.ts";
import { type CatalogueInstrument, loadCatalogue } from "../catalogue/index.ts";
import { CANDLES, type CandleReader } from "../rates/market/port.ts";
import { createBackfill, startPriceBackfill } from "./backfill-prices.ts";
import { createPriceHistory, type PriceTable } from "./price-history.ts";

const USD = 10n ** 18n;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date("2026-11-21T12:00:00.000Z");

let database: TestDatabase;
let instruments: Map<string, CatalogueInstrument>;
beforeAll(async () => {
  database = await freshDatabase();
  const eth = (await loadCatalogue({})).instruments.get("eth");
  instruments = new Map(eth && [["eth", eth]]);
});
afterAll(() => database.drop());
beforeEach(() => database.empty("price_minutes", "price_hours", "price_days", "price_backfills"));

type Asked = { timeframe: string; from: Date; until: Date };
/** Venues that have every candle at one dollar, but for the times that are left out; it fails after so many answers. */
function venues({ isKnown = (_at: number): boolean => true, failsAfter = Number.POSITIVE_INFINITY } = {}) {
  const asked: Asked[] = [];
  const readCandles: CandleReader = async (title, { timeframe, from, until }) => {
    if (asked.length >= failsAfter) throw new Error("the venues are away");
    expect(title).toBe("eth");
    asked.push({ timeframe, from, until });
    const step = CANDLES[timeframe];
    const count = (until.getTime() - from.getTime()) / step;
    expect(count).toBeLessThanOrEqual(300);
    const times = Array.from({ length: count }, (_, n) => from.getTime() + n * step);
    return { prices: new Map(times.filter(isKnown).map((at) => [at, USD])), isWhole: true };
  };
  return { asked, readCandles };
}
const backfill = (readCandles: CandleReader, now = NOW) =>
  createBackfill({ database, catalogue: { instruments }, readCandles, clock: { now: () => now } });
async function fillAll(readCandles: CandleReader, now = NOW): Promise<void> {
  const next = backfill(readCandles, now);
  while (await next());
}
const stored = async (table: PriceTable) =>
  (await createPriceHistory(database).read(table, ["eth"], { from: new Date(0), to: NOW })).get("eth") ?? [];

it("fills days, hours and minutes up to the running one, and keeps what was recorded", async () => {
  await createPriceHistory(database).record(new Date(NOW.getTime() - HOUR), new Map([["eth", 7n * USD]]));
  await fillAll(venues().readCandles);
  const [days, hours, minutes] = [
    await stored("price_days"),
    await stored("price_hours"),
    await stored("price_minutes"),
  ];
  expect([days.length, hours.length, minutes.length]).toEqual([730, 89 * 24, 47 * 60]);
  // The running day's first price is the recorded one, as the hour's.
  expect(days.at(-1)).toEqual({ at: new Date("2026-11-21T00:00:00.000Z"), price: 7n * USD });
  expect(days.at(-2)?.price).toBe(USD);
  expect(hours.at(-1)).toEqual({ at: new Date("2026-11-21T11:00:00.000Z"), price: 7n * USD });
  expect(minutes.at(-1)?.at).toEqual(new Date("2026-11-21T11:59:00.000Z"));
  const again = venues();
  await fillAll(again.readCandles);
  expect(again.asked).toEqual([]);
});

it("goes on where it was stopped, also after venues that were away", async () => {
  const first = venues({ failsAfter: 4 });
  await expect(fillAll(first.readCandles)).rejects.toThrow("the venues are away");
  const second = venues();
  await fillAll(second.readCandles);
  const all = [...first.asked, ...second.asked];
  expect(new Set(all.map(({ timeframe, from }) => `${timeframe} ${from.getTime()}`)).size).toBe(all.length);
  expect(second.asked[0]).toMatchObject({ timeframe: "1h", from: first.asked[3]?.until });
  expect(await stored("price_minutes")).toHaveLength(47 * 60);
});

it("leaves a time that no venue knows a gap, and does not ask for it again", async () => {
  const gap = { from: NOW.getTime() - 5 * HOUR, until: NOW.getTime() - 3 * HOUR };
  const isKnown = (at: number) => at < gap.from || at >= gap.until;
  await fillAll(venues({ isKnown }).readCandles);
  const hours = (await stored("price_hours")).map(({ at }) => at.getTime());
  expect(hours.some((at) => !isKnown(at))).toBe(false);
  expect(hours).toHaveLength(89 * 24 - 2);
  const again = venues();
  await fillAll(again.readCandles);
  expect(again.asked).toEqual([]);
});

it.each([
  ["does not list the coin", 0],
  ["knows a hundred days", 100],
])("closes a gap once the venue that was away is back, where the other one %s", async (_, days) => {
  let isAway = true;
  const readCandles: CandleReader = async (title, time) => {
    const knows = (at: number) => !isAway || NOW.getTime() - at < days * DAY;
    return { prices: (await venues({ isKnown: knows }).readCandles(title, time)).prices, isWhole: !isAway };
  };
  const filling = backfill(readCandles);
  while (await filling());
  // What is known is stored meanwhile, and nothing is asked for twice.
  expect(await stored("price_days")).toHaveLength(Math.max(0, days - 1));
  expect(await filling()).toBe(false);
  isAway = false;
  await fillAll(readCandles);
  expect(await stored("price_days")).toHaveLength(729);
  expect(await stored("price_minutes")).toHaveLength(47 * 60);
  const again = venues();
  await fillAll(again.readCandles);
  expect(again.asked).toEqual([]);
});

it("a running backfill asks again some hours after a venue was away, and not before", async () => {
  let [isAway, asked, now] = [true, 0, NOW];
  const readCandles: CandleReader = async (title, time) => {
    asked += 1;
    const { prices } = await venues({ isKnown: () => !isAway }).readCandles(title, time);
    return { prices, isWhole: !isAway };
  };
  const next = createBackfill({ database, catalogue: { instruments }, readCandles, clock: { now: () => now } });
  while (await next());
  const soFar = asked;
  isAway = false;
  expect(await next()).toBe(false);
  expect(asked).toBe(soFar);
  now = new Date(NOW.getTime() + 6 * HOUR);
  while (await next());
  expect(await stored("price_days")).toHaveLength(729);
});

it("fills what was not recorded while no worker ran, and asks for no more than that", async () => {
  await fillAll(venues().readCandles);
  const later = new Date(NOW.getTime() + 2 * HOUR);
  const history = createPriceHistory(database);
  for (let at = NOW.getTime() + HOUR; at < later.getTime(); at += 60_000)
    await history.record(new Date(at), new Map([["eth", 2n * USD]]));
  const { asked, readCandles } = venues();
  await fillAll(readCandles, later);
  expect(asked.map(({ timeframe }) => timeframe)).toEqual(["1h", "1m"]);
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from price_minutes where at >= $1 and at < $2",
    [NOW, later],
  );
  expect(rows[0]?.count).toBe(120);
});

it("a worker fills it by itself, and only where it may write", async () => {
  const { asked, readCandles } = venues();
  const log = createLog({ level: "silent" });
  const parts = { database, catalogue: { instruments }, readCandles, clock: { now: () => NOW }, log };
  const idle = startPriceBackfill({ ...parts, mayWrite: async () => false });
  await idle.stop();
  expect(asked).toEqual([]);
  const running = startPriceBackfill({ ...parts, mayWrite: async () => true });
  onTestFinished(() => running.stop());
  await eventually("the first days are stored", async () => (await stored("price_days")).length > 0 || null);
  expect(asked[0]).toMatchObject({
    timeframe: "1d",
    until: new Date(Math.ceil((NOW.getTime() - 730 * DAY) / DAY) * DAY + 300 * DAY),
  });
});
