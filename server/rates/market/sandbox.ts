import { PRICE_DECIMALS } from "../../catalogue/index.ts";
import { parseAmount, powerOfTen } from "#contract/money.ts";
import type { MarketFeed } from "./port.ts";
import starting from "./sandbox-prices.json" with { type: "json" };

/** Waves whose slopes add up to 0.08 % a minute, so that the market moves and never leaves a quote's tolerance by itself. */
const WAVES = [
  { seconds: 211, height: 0.0001 },
  { seconds: 900, height: 0.001 },
  { seconds: 7_200, height: 0.0035 },
] as const;

/** A market that is always available: every price moves around its starting value, the same for the same seed and moment. */
export function createSandboxMarket(now: () => number = Date.now): MarketFeed {
  const prices = Object.entries(starting).map(([slug, { usd, seed, sway }]) => {
    const start = parseAmount(usd, PRICE_DECIMALS);
    if (start === null) throw new Error(`sandbox-prices.json: ${slug} has no decimal price`);
    return { slug, start, seed, sway };
  });
  return {
    name: "sandbox",
    refreshMs: 1_000,
    validMs: 30_000,
    read: async () => {
      const takenAt = new Date(now());
      return new Map(
        prices.map(({ slug, start, seed, sway }) => [
          slug,
          { usd: swayed(start, seed, sway, takenAt.getTime()), takenAt },
        ]),
      );
    },
  };
}

const MILLION = 1_000_000n;
/** Rounded to the figures that a market displays. */
const FIGURES = 8;

function swayed(start: bigint, seed: number, sway: number, ms: number): bigint {
  const wave = WAVES.reduce(
    (sum, { seconds, height }, at) => sum + height * Math.sin((2 * Math.PI * ms) / (seconds * 1000) + phase(seed, at)),
    0,
  );
  const moved = start + (start * BigInt(Math.round(wave * sway * 1_000_000))) / MILLION;
  const step = powerOfTen(Math.max(0, start.toString().length - FIGURES));
  return (moved / step) * step;
}

/** Spreads the seeds over the circle without a visible pattern. */
const phase = (seed: number, wave: number): number => (seed * 2.399963 + wave * 1.754878) % (2 * Math.PI);
