import { WHOLE_BPS } from "#contract/money.ts";

export type GuardLimits = {
  /** Between two readings a price may move by this much, in hundredths of a percent. */
  jumpBps: bigint;
  /** A new price level is accepted after this long. */
  settleMs: number;
  /** USD scaled by 10^18: outside of these a price is implausible. */
  minUsd: bigint;
  maxUsd: bigint;
};

const defaultGuardLimits: GuardLimits = {
  jumpBps: 1_000n,
  settleMs: 60_000,
  minUsd: 10n ** 9n,
  maxUsd: 10n ** 26n,
};

export type Verdict = "good" | "zero" | "absurd" | "jump";

/** Whether two prices are at most `bps` of the lower one apart. */
export const isWithin = (a: bigint, b: bigint, bps: bigint): boolean => {
  const [low, high] = a < b ? [a, b] : [b, a];
  return (high - low) * WHOLE_BPS <= low * bps;
};

/** Checks a price by itself, whoever set it: nothing is ever quoted at zero. */
export function checkValue(usd: bigint, limits: GuardLimits = defaultGuardLimits): Verdict {
  if (usd <= 0n) return "zero";
  return usd < limits.minUsd || usd > limits.maxUsd ? "absurd" : "good";
}

/** Checks each price of a feed against the last accepted one. */
export type PriceGuard = {
  judge(slug: string, usd: bigint, nowMs: number): Verdict;
  /** Gives the guard a last value from before a restart. */
  remember(slug: string, usd: bigint): void;
};

export function createPriceGuard(limits: GuardLimits = defaultGuardLimits): PriceGuard {
  const accepted = new Map<string, bigint>();
  const candidates = new Map<string, { usd: bigint; sinceMs: number }>();

  const checkJump = (slug: string, usd: bigint, nowMs: number): Verdict => {
    const candidate = candidates.get(slug);
    const hasStood = candidate !== undefined && isWithin(usd, candidate.usd, limits.jumpBps);
    if (hasStood && nowMs - candidate.sinceMs >= limits.settleMs) return accept(slug, usd);
    if (!hasStood) candidates.set(slug, { usd, sinceMs: nowMs });
    return "jump";
  };

  const accept = (slug: string, usd: bigint): Verdict => {
    accepted.set(slug, usd);
    candidates.delete(slug);
    return "good";
  };

  return {
    remember: (slug, usd) => void accepted.set(slug, usd),
    judge(slug, usd, nowMs) {
      const verdict = checkValue(usd, limits);
      if (verdict !== "good") {
        candidates.delete(slug);
        return verdict;
      }
      const last = accepted.get(slug);
      return last === undefined || isWithin(usd, last, limits.jumpBps)
        ? accept(slug, usd)
        : checkJump(slug, usd, nowMs);
    },
  };
}
