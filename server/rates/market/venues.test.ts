import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startBitstamp, startKraken, type VenueServer } from "../../../tests/support/services/venue-servers.ts";
import { createLog } from "../../base/logging/log.ts";
import { openCcxtVenue, UnknownVenueError } from "./venue-ccxt.ts";
import { createVenuesFeed } from "./venues.ts";
import type { Venue } from "./port.ts";

const INSTRUMENTS = [
  { slug: "eth", currencyTitle: "ETH" },
  { slug: "usdt-erc20", currencyTitle: "USDT" },
  { slug: "usdt-trc20", currencyTitle: "USDT" },
  { slug: "xmr", currencyTitle: "XMR" },
  { slug: "usd", currencyTitle: "USD" },
];
const at = (price: string) => ({ bid: price, ask: price, last: price });
const E18 = 10n ** 18n;
const log = createLog({ level: "silent" });

let kraken: VenueServer;
let bitstamp: VenueServer;
let venues: Venue[];

const KRAKEN = { "ETH/USD": at("3000"), "USDT/USD": at("1.001"), "XMR/USD": at("160") };
const BITSTAMP = { "ETH/USD": at("3010"), "USDT/USD": at("0.999"), "XMR/USDT": at("162") };

beforeAll(async () => {
  kraken = await startKraken(KRAKEN);
  bitstamp = await startBitstamp(BITSTAMP);
  venues = [
    await openCcxtVenue({ id: "kraken", publicUrl: kraken.url }),
    await openCcxtVenue({ id: "bitstamp", publicUrl: bitstamp.url }),
  ];
});
beforeEach(() => {
  bitstamp.mode = "good";
  for (const [symbol, ticker] of Object.entries(KRAKEN)) kraken.tickers.set(symbol, ticker);
  for (const [symbol, ticker] of Object.entries(BITSTAMP)) bitstamp.tickers.set(symbol, ticker);
});
afterAll(async () => {
  await kraken[Symbol.asyncDispose]();
  await bitstamp[Symbol.asyncDispose]();
});

const feedOf = (given: readonly Venue[] = venues, now: () => number = Date.now) =>
  createVenuesFeed({
    venues: given,
    instruments: INSTRUMENTS,
    limits: { minVenues: 2, outlierBps: 300n },
    log,
    now,
  });
const read = async (...args: Parameters<typeof feedOf>) =>
  Object.fromEntries([...(await feedOf(...args).read())].map(([slug, { usd }]) => [slug, usd]));

describe("prices of several venues", () => {
  it("are the median of their prices, in dollars, or through USDT where there is no dollar market", async () => {
    expect(await read()).toEqual({
      eth: 3005n * E18,
      "usdt-erc20": E18,
      "usdt-trc20": E18,
      xmr: 161n * E18,
      usd: E18,
    });
  });

  it("are the middle of a book, and the last trade where the book is too wide", async () => {
    kraken.tickers.set("ETH/USD", { bid: "2999", ask: "3001", last: "1" });
    bitstamp.tickers.set("ETH/USD", { bid: "2000", ask: "4000", last: "3010" });
    expect(await read()).toMatchObject({ eth: 3005n * E18 });
  });

  it("are missing when the venues contradict each other", async () => {
    bitstamp.tickers.set("ETH/USD", at("3500"));
    expect(await read()).not.toHaveProperty("eth");
  });

  it.each(["failing", "garbage"] as const)("are missing from one venue alone while the other is %s", async (mode) => {
    bitstamp.mode = mode;
    expect(await read()).toEqual({ usd: E18 });
  });

  it("come back with the venue, also when its markets could not be loaded at first", async () => {
    bitstamp.mode = "failing";
    const late = [...venues.slice(0, 1), await openCcxtVenue({ id: "bitstamp", publicUrl: bitstamp.url })];
    expect(await read(late)).not.toHaveProperty("eth");
    bitstamp.mode = "good";
    expect(await read(late)).toMatchObject({ eth: 3005n * E18 });
  });

  it("leave out a venue's old price", async () => {
    const now = Date.now();
    const old: Venue = {
      name: "old",
      read: async () => new Map([["ETH/USD", { price: 3000n * E18, takenAt: new Date(now - 91_000) }]]),
    };
    expect(await read([old, ...venues.slice(1)], () => now)).not.toHaveProperty("eth");
  });

  it("are as old as the oldest of what they were made from", async () => {
    const now = Date.now();
    const venue = (name: string, age: number): Venue => ({
      name,
      read: async () => new Map([["ETH/USD", { price: 3000n * E18, takenAt: new Date(now - age) }]]),
    });
    const prices = await feedOf([venue("a", 5_000), venue("b", 20_000)], () => now).read();
    expect(prices.get("eth")?.takenAt).toEqual(new Date(now - 20_000));
  });
});

it("names an unknown venue", async () => {
  await expect(openCcxtVenue({ id: "mtgox" })).rejects.toThrow(UnknownVenueError);
  await expect(openCcxtVenue({ id: "version" })).rejects.toThrow('MARKET_VENUES: "version"');
});
