import { DAY_MS } from "#contract/durations.ts";
import { maxOf } from "#contract/money.ts";
import { sha256 } from "../base/secrets.ts";
import { BUCKET_MS, extremesOf, type PricePoint, type PriceReader } from "./price-history.ts";

/** How long before the present the sandbox has prices (contract §12). */
const MADE_UP_MS = 400 * DAY_MS;
/** Waves of a walk: how long each takes, and how far it moves the price, as a natural logarithm. */
const WAVES = [
  { periodMs: 120 * DAY_MS, sway: 0.35 },
  { periodMs: 30 * DAY_MS, sway: 0.14 },
  { periodMs: 7 * DAY_MS, sway: 0.07 },
  { periodMs: DAY_MS, sway: 0.025 },
  { periodMs: 4 * 3_600_000, sway: 0.009 },
  { periodMs: 2_700_000, sway: 0.003 },
  { periodMs: 420_000, sway: 0.001 },
];
const STABLE_SWAY = 0.004;
const isStable = (symbol: string): boolean => /^(usd|dai)/.test(symbol);
/** A currency moves less than a coin. */
const CURRENCY_SWAY = 0.1;
const swayOf = (symbol: string): number => (isStable(symbol) ? STABLE_SWAY : symbol === "eur" ? CURRENCY_SWAY : 1);

/**
 * The history of a sandbox: where it has recorded nothing yet, 400 days of a walk that is the same for every server and ends at its oldest
 * recorded price, or at the present one (`priceOf`). Nothing of it is stored.
 */
export function withMadeUpPrices(
  recorded: PriceReader,
  { now, priceOf }: { now: () => Date; priceOf: (symbol: string) => bigint | null },
): PriceReader {
  const reader: PriceReader = {
    oldest: (table, symbols) => recorded.oldest(table, symbols),
    async extremes(table, symbol, time) {
      const prices = ((await reader.read(table, [symbol], time)).get(symbol) ?? []).map(({ price }) => price);
      return extremesOf(prices);
    },
    async read(table, symbols, { from, to }) {
      const [known, oldest] = await Promise.all([
        recorded.read(table, symbols, { from, to }),
        recorded.oldest(table, symbols),
      ]);
      const bucketMs = BUCKET_MS[table];
      const present = now().getTime();
      return new Map(
        symbols.flatMap((symbol) => {
          const price = priceOf(symbol);
          const anchor = oldest.get(symbol) ?? (price === null ? null : { at: new Date(present), price });
          if (anchor === null) return [];
          const walk = createWalk(symbol, anchor);
          const points: PricePoint[] = [];
          const first = Math.max(from.getTime(), present - MADE_UP_MS);
          const last = Math.min(to.getTime(), anchor.at.getTime() - 1);
          for (let at = Math.ceil(first / bucketMs) * bucketMs; at <= last; at += bucketMs)
            points.push({ at: new Date(at), price: walk(at) });
          return [[symbol, [...points, ...(known.get(symbol) ?? [])]] as const];
        }),
      );
    },
  };
  return reader;
}

/** Prices before an anchor: noise that is smooth in time, in waves of several lengths. */
function createWalk(symbol: string, anchor: PricePoint): (at: number) => bigint {
  const share = swayOf(symbol);
  const heights = new Map<string, number>();
  const heightOf = (wave: number, turn: number): number => {
    const key = `${wave}:${turn}`;
    const known = heights.get(key);
    if (known !== undefined) return known;
    const height = sha256(`${symbol}:${key}`).readInt32BE() / 2 ** 31;
    heights.set(key, height);
    return height;
  };
  const logarithmAt = (at: number): number =>
    WAVES.reduce((sum, { periodMs, sway }, wave) => {
      const [turn, part] = [Math.floor(at / periodMs), (at % periodMs) / periodMs];
      const eased = part * part * (3 - 2 * part);
      return sum + sway * (heightOf(wave, turn) * (1 - eased) + heightOf(wave, turn + 1) * eased);
    }, 0);
  const atAnchor = logarithmAt(anchor.at.getTime());
  return (at) => {
    const factor = Math.exp(share * (logarithmAt(at) - atAnchor));
    return maxOf((anchor.price * BigInt(Math.round(factor * PRECISION))) / BigInt(PRECISION), 1n);
  };
}

const PRECISION = 1e9;
