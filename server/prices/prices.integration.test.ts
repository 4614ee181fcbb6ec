import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { loadCatalogue, type Catalogue } from "../catalogue/index.ts";
import { createPriceHistory } from "./price-history.ts";
import { openPrices } from "./prices.ts";
import { priceHandlers } from "./routes.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date("2026-11-21T12:00:30.000Z");
const USD = 10n ** 18n;

let database: TestDatabase;
let catalogue: Catalogue;
beforeAll(async () => {
  database = await freshDatabase();
  catalogue = await loadCatalogue({});
});
afterAll(() => database.drop());
beforeEach(() => database.empty("price_minutes", "price_hours", "price_days"));

type Given = { isSandbox?: boolean; eth?: bigint | null; eur?: bigint; now?: Date };
const open = ({ isSandbox = false, eth = 3000n * USD, eur, now = NOW }: Given = {}) =>
  openPrices({
    database,
    catalogue,
    clock: { now: () => now },
    isSandbox,
    priceSnapshots: {
      newest: () => ({
        at: now,
        fees: new Map(),
        prices: new Map(
          eth === null
            ? []
            : [["eth", eth], ["usdt-erc20", USD], ...(eur === undefined ? [] : ([["eur", eur]] as const))],
        ),
      }),
    },
  });
const record = (agoMs: number, usd: bigint) =>
  createPriceHistory(database).record(new Date(NOW.getTime() - agoMs), new Map([["eth", usd * USD]]));
const coin = async (prices: ReturnType<typeof open>, symbol = "eth") =>
  (await prices.list()).find((one) => one.symbol === symbol);

describe("the list of prices", () => {
  it("has the price now, its changes, and the hours of a day", async () => {
    for (const [ago, usd] of [
      [7 * DAY + 60_000, 2000n],
      [DAY + 120_000, 3200n],
      [HOUR, 2900n],
    ] as const)
      await record(ago, usd);
    const eth = await coin(open());
    expect(eth).toMatchObject({ name: "Ethereum", priceUsd: "3000", change24h: "-6.25", change7d: "50" });
    expect(eth?.slugs).toContain("eth");
    expect(eth?.sparkline).toHaveLength(24);
    expect(eth?.sparkline.at(-2)).toBe("2900");
    expect(eth?.sparkline.at(-1)).toBeNull();
  });

  it("has no change from a price that is too old, and no price without a snapshot's", async () => {
    await record(DAY + 20 * 60_000, 1n);
    await record(7 * DAY + 4 * HOUR, 1n);
    expect(await coin(open())).toMatchObject({ change24h: null, change7d: null });
    expect(await coin(open({ eth: null }))).toMatchObject({ priceUsd: null, change24h: null });
  });
});

it("a list has the coins that are named alone", async () => {
  const handlers = priceHandlers(open());
  const symbolsOf = async (symbols?: string) => {
    const listed = await handlers.prices({ query: { symbols } } as Parameters<typeof handlers.prices>[0]);
    return listed.map(({ symbol }) => symbol);
  };
  expect(await symbolsOf("eth,nothing,usdt")).toEqual(["eth", "usdt"]);
  expect((await symbolsOf()).length).toBeGreaterThan(2);
});

it("a list reads the history once a minute, and again after a failure", async () => {
  const reads = vi.spyOn(database.kysely, "getExecutor");
  onTestFinished(() => reads.mockRestore());
  const prices = open();
  await Promise.all([prices.list(), prices.list()]);
  await prices.list();
  expect(reads).toHaveBeenCalledTimes(3);
  reads.mockImplementationOnce(() => {
    throw new Error("the database is away");
  });
  const other = open();
  await expect(other.list()).rejects.toThrow("the database is away");
  expect(await other.list()).not.toEqual([]);
});

describe("the history of a coin", () => {
  it.each([
    ["24h", [HOUR, 2 * HOUR, DAY + 60_000], 2],
    ["7d", [HOUR, 2 * DAY, 8 * DAY], 2],
    ["1m", [HOUR, 29 * DAY, 31 * DAY], 2],
    ["1y", [HOUR, 300 * DAY, 400 * DAY], 2],
    ["all", [HOUR, 300 * DAY, 4000 * DAY], 3],
  ] as const)("over %s begins where that begins, oldest first", async (range, ago, expected) => {
    for (const ms of ago) await record(ms, 5n);
    const { points, updatedAt, day: _day, ...named } = await open().history("eth", range);
    expect(named).toEqual({ symbol: "eth", range });
    expect(points).toHaveLength(expected);
    expect(points.map(([at]) => at)).toEqual(points.map(([at]) => at).toSorted());
    expect(updatedAt).toBe(NOW.toISOString());
  });

  it("names the lowest and the highest price of the last day, whatever its range", async () => {
    for (const [ago, usd] of [
      [DAY + 60_000, 1n],
      [DAY - 60_000, 7n],
      [2 * HOUR, 5n],
      [HOUR, 6n],
    ] as const)
      await record(ago, usd);
    for (const range of ["24h", "1y"] as const)
      expect((await open().history("eth", range)).day).toEqual({ low: "5", high: "7" });
  });

  it("is there for the euro, which no list of coins has", async () => {
    const { points, day } = await open({ isSandbox: true }).history("eur", "7d");
    expect([points, day]).toEqual([[], null]);
    const sandbox = open({ isSandbox: true, eur: (108n * USD) / 100n });
    const euro = await sandbox.history("eur", "7d");
    expect(euro.points.length).toBeGreaterThan(160);
    expect(Number(euro.day?.low)).toBeLessThan(Number(euro.day?.high));
    expect((await sandbox.list()).map(({ symbol }) => symbol)).not.toContain("eur");
    await expect(sandbox.history("usd", "7d")).rejects.toMatchObject({ code: "ERR_NOT_FOUND" });
  });

  it("is refused for a coin that is not traded", async () => {
    await expect(open().history("nothing", "24h")).rejects.toMatchObject({ code: "ERR_NOT_FOUND" });
  });

  it("is empty where nothing was recorded", async () => {
    expect(await open({ eth: null }).history("eth", "24h")).toEqual({
      symbol: "eth",
      range: "24h",
      points: [],
      updatedAt: null,
      day: null,
    });
  });
});

describe("the sandbox", () => {
  it.each([
    ["24h", 1440, 60_000],
    ["7d", 168, HOUR],
    ["1m", 720, HOUR],
    ["1y", 365, DAY],
    ["all", 400, DAY],
  ] as const)("makes up %s without a gap, ending near the present price", async (range, count, step) => {
    const { points } = await open({ isSandbox: true }).history("eth", range);
    expect(points).toHaveLength(count);
    const times = points.map(([at]) => Date.parse(at));
    expect(new Set(times.slice(1).map((at, before) => at - (times[before] ?? 0)))).toEqual(new Set([step]));
    expect(NOW.getTime() - (times.at(-1) ?? 0)).toBeLessThan(step);
    const prices = points.map(([, price]) => Number(price));
    expect(Math.max(...prices) / Math.min(...prices)).toBeLessThan(6);
    expect(new Set(prices).size).toBeGreaterThan(count / 2);
  });

  it("makes up the same for every server, and keeps stable coins stable", async () => {
    const [one, other] = [open({ isSandbox: true }), open({ isSandbox: true })];
    expect(await one.history("eth", "7d")).toEqual(await other.history("eth", "7d"));
    const { points } = await one.history("usdt", "all");
    for (const [, price] of points) expect(Math.abs(Number(price) - 1)).toBeLessThan(0.01);
  });

  it("goes on from what it has recorded", async () => {
    await record(3 * HOUR, 5000n);
    const { points } = await open({ isSandbox: true }).history("eth", "7d");
    const at = points.findIndex(([, price]) => price === "5000");
    expect(at).toBe(points.length - 1);
    expect(Math.abs(Number(points[at - 1]?.[1]) / 5000 - 1)).toBeLessThan(0.05);
  });

  it("has changes and a whole spark line", async () => {
    const eth = await coin(open({ isSandbox: true }));
    expect(eth?.change24h).toMatch(/^-?\d/);
    expect(eth?.change7d).toMatch(/^-?\d/);
    expect(eth?.sparkline).not.toContain(null);
  });
});
