import { PRICE_DECIMALS } from "../catalogue/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#contract/durations.ts";
import { CodedError } from "#contract/errors.ts";
import type { PriceRange } from "#contract/price-range.ts";
import type { CoinPrice, PriceHistoryAnswer } from "#contract/prices.ts";
import { formatAmount } from "#contract/money.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { PriceSnapshot } from "../rates/port.ts";
import { coinPrices, coinsOf, pricedOf } from "./coins.ts";
import { changePercent, hourlyPoints, priceBefore, SPARKLINE_HOURS } from "./changes.ts";
import { withMadeUpPrices } from "./made-up-prices.ts";
import { createPriceHistory, extremesOf, type PriceTable } from "./price-history.ts";

/** Prices of coins, now and before, as the price pages have them (contract §12). */
export type Prices = {
  list(): Promise<CoinPrice[]>;
  /** Of a coin, or of a currency that prices are shown in. Throws ERR_NOT_FOUND for every other symbol. */
  history(symbol: string, range: PriceRange): Promise<PriceHistoryAnswer>;
};

/** Where the points of a range are, and how far it goes back. */
const RANGES: Readonly<Record<PriceRange, { table: PriceTable; ms: number }>> = {
  "24h": { table: "price_minutes", ms: DAY_MS },
  "7d": { table: "price_hours", ms: 7 * DAY_MS },
  "1m": { table: "price_hours", ms: 30 * DAY_MS },
  "1y": { table: "price_days", ms: 365 * DAY_MS },
  all: { table: "price_days", ms: Number.POSITIVE_INFINITY },
};

/** How much older than asked for a price may be that a change is measured from. */
const TOLERANCE = { minutes: 10 * MINUTE_MS, hours: 2 * HOUR_MS };

export type PricesParts = {
  database: Database;
  catalogue: Pick<Catalogue, "instruments">;
  priceSnapshots: { newest(): PriceSnapshot | null };
  clock: { now(): Date };
  /** In the sandbox, what was not recorded is made up. */
  isSandbox: boolean;
};

export function openPrices({ database, catalogue, priceSnapshots, clock, isSandbox }: PricesParts): Prices {
  const coins = coinsOf(catalogue.instruments.values());
  const symbols = coins.map(({ symbol }) => symbol);
  const priced = pricedOf(catalogue.instruments.values());
  const presentPrices = () => coinPrices(priced, priceSnapshots.newest()?.prices ?? new Map());
  const stored = createPriceHistory(database);
  const history = isSandbox
    ? withMadeUpPrices(stored, { now: () => clock.now(), priceOf: (symbol) => presentPrices().get(symbol) ?? null })
    : stored;

  /** What a list has beside the prices of now changes once a minute, and costs more than all else of it. */
  let before: { minute: number; read: ReturnType<typeof readBefore> } | null = null;
  const readBefore = async (now: number) => {
    const within = (from: number, to: number) => ({ from: new Date(from), to: new Date(to) });
    const [dayAgo, weekAgo] = [now - DAY_MS, now - 7 * DAY_MS];
    const [minutes, older, hours] = await Promise.all([
      history.read("price_minutes", symbols, within(dayAgo - TOLERANCE.minutes, dayAgo)),
      history.read("price_hours", symbols, within(weekAgo - TOLERANCE.hours, weekAgo)),
      history.read("price_hours", symbols, within(now - SPARKLINE_HOURS * HOUR_MS, now)),
    ]);
    return { minutes, older, hours };
  };
  const pricesBefore = (now: number): ReturnType<typeof readBefore> => {
    const minute = Math.floor(now / MINUTE_MS);
    if (before?.minute === minute) return before.read;
    const read = readBefore(now);
    before = { minute, read };
    // A failure is its callers' alone.
    read.catch(() => {
      if (before?.read === read) before = null;
    });
    return read;
  };

  return {
    async list() {
      const now = clock.now().getTime();
      const { minutes, older, hours } = await pricesBefore(now);
      const present = presentPrices();
      return coins.map(({ symbol, slugs }) => {
        const price = present.get(symbol) ?? null;
        return {
          symbol,
          name: catalogue.instruments.get(slugs[0] ?? "")?.currencyFriendlyTitle ?? symbol.toUpperCase(),
          slugs: [...slugs],
          priceUsd: price === null ? null : formatUsd(price),
          change24h: changePercent(priceBefore(minutes.get(symbol)), price),
          change7d: changePercent(priceBefore(older.get(symbol)), price),
          sparkline: hourlyPoints(hours.get(symbol) ?? [], now).map((point) =>
            point === null ? null : formatUsd(point),
          ),
        };
      });
    },
    async history(symbol, range) {
      if (!priced.some((one) => one.symbol === symbol))
        throw new CodedError("ERR_NOT_FOUND", "No coin has this symbol");
      const { table, ms } = RANGES[range];
      const to = clock.now();
      const from = new Date(Math.max(0, to.getTime() - ms));
      const isDay = range === "24h";
      const [read, dayOfOther] = await Promise.all([
        history.read(table, [symbol], { from, to }),
        isDay ? null : history.extremes("price_minutes", symbol, { from: new Date(to.getTime() - DAY_MS), to }),
      ]);
      const points = read.get(symbol) ?? [];
      const day = isDay ? extremesOf(points.map(({ price }) => price)) : dayOfOther;
      const newest = presentPrices().has(symbol) ? priceSnapshots.newest()?.at : points.at(-1)?.at;
      return {
        symbol,
        range,
        points: points.map(({ at, price }) => [at.toISOString(), formatUsd(price)]),
        updatedAt: newest?.toISOString() ?? null,
        day: day === null ? null : { low: formatUsd(day.low), high: formatUsd(day.high) },
      };
    },
  };
}

const formatUsd = (price: bigint): string => formatAmount(price, PRICE_DECIMALS);
