import { powerOfTen } from "#contract/money.ts";
import type { Log } from "../../base/logging/log.ts";
import { consensus, type ConsensusLimits } from "./consensus.ts";
import type { CandleReader, CandleTime, CandleVenue, VenueCandles } from "./port.ts";

const ONE = powerOfTen(18);
const USDT = "USDT";

export type CandleReaderParts = { venues: readonly CandleVenue[]; limits: ConsensusLimits; log: Log };

/**
 * What coins cost before, from the candles of the venues: where several of them have one, those that agree make the price, and none
 * where they don't. Unlike a price that is quoted, one venue's candle is enough where no other goes back so far.
 */
export function createCandleReader({ venues, limits, log }: CandleReaderParts): CandleReader {
  const readAll = async (
    symbols: readonly string[],
    time: CandleTime,
  ): Promise<{ read: VenueCandles[]; isWhole: boolean }> => {
    const results = await Promise.allSettled(venues.map((venue) => venue.candles(symbols, time)));
    results.forEach((result, at) => {
      if (result.status === "rejected")
        log.warn({ err: result.reason, venue: venues[at]?.name }, "a venue's candles could not be read");
    });
    const read = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    if (read.length === 0) throw new Error("no venue has answered with its candles");
    return { read, isWhole: read.length === venues.length };
  };

  const agreed = (known: readonly (ReadonlyMap<number, bigint> | null)[]): Map<number, bigint> => {
    const times = new Set(known.flatMap((prices) => [...(prices?.keys() ?? [])]));
    return new Map(
      [...times]
        .toSorted((one, other) => one - other)
        .flatMap((at) => {
          const prices = known.flatMap((of) => of?.get(at) ?? []);
          const minVenues = Math.min(limits.minVenues, prices.length);
          const price = consensus(prices, { ...limits, minVenues });
          return price === null ? [] : [[at, price] as const];
        }),
    );
  };

  return async (currencyTitle, time) => {
    const title = currencyTitle.toUpperCase();
    const [inUsd, inUsdt] = [`${title}/USD`, `${title}/${USDT}`];
    const { read, isWhole } = await readAll(title === USDT ? [inUsd] : [inUsd, inUsdt], time);
    const needsUsdt = read.some(({ symbol }) => symbol === inUsdt);
    const dollarCoin = needsUsdt ? await readAll([`${USDT}/USD`], time) : { read: [], isWhole: true };
    const usdt = agreed(dollarCoin.read.map(({ opens }) => opens));
    const prices = agreed(read.map(({ symbol, opens }) => (symbol === inUsdt ? inDollars(opens, usdt) : opens)));
    return { prices, isWhole: isWhole && dollarCoin.isWhole };
  };
}

/** A time without a price of the dollar coin has none in dollars. */
const inDollars = (opens: ReadonlyMap<number, bigint>, usdt: ReadonlyMap<number, bigint>): Map<number, bigint> =>
  new Map(
    [...opens].flatMap(([at, price]) => {
      const dollars = usdt.get(at);
      return dollars === undefined ? [] : [[at, (price * dollars) / ONE] as const];
    }),
  );
