import type { HealthStatus } from "#contract/health.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../base/log.ts";
import type { Rates } from "../rates/port.ts";

const LOOK_EVERY_MS = 2_000;
const SLOW_MS = 1_500;
/** One missed look is no illness; the client would show the service as down. */
const SILENCE_MS = 5_000;

export type Health = {
  /** From memory: it answers at once whatever hangs. */
  status(): HealthStatus;
  /** Looks once, then goes on looking. */
  start(): Promise<void>;
  stop(): void;
};

export type HealthParts = {
  database: Pick<Database, "pool">;
  rates: Pick<Rates, "snapshot">;
  networks: { isUp(networkTitle: string): boolean };
  /** True while the service only pays what it owes; absent where that can't be. */
  isRefundOnly?: () => boolean;
  /** The networks of the active instruments. */
  networkTitles: readonly string[];
  log: Log;
  timing?: { everyMs: number; slowMs: number; silenceMs: number };
};

/**
 * UNHEALTHY without the database, TECHNICAL_DIFFICULTIES while nothing can be quoted, no network works or only refunds and payouts are
 * served; one dead network disables its pairs, not the site.
 */
export function createHealth({
  database,
  rates,
  networks,
  networkTitles,
  isRefundOnly = () => false,
  log,
  timing = defaultTiming,
}: HealthParts): Health {
  let pingedAt = Number.NEGATIVE_INFINITY;
  let pinging: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let shown: HealthStatus | null = null;

  const ping = async (): Promise<void> => {
    try {
      await database.pool.query("select 1");
      pingedAt = performance.now();
    } catch (error) {
      log.warn({ err: error }, "the database did not answer the health check");
    } finally {
      pinging = null;
    }
  };

  const judge = (): HealthStatus => {
    if (performance.now() - pingedAt > timing.silenceMs) return "UNHEALTHY";
    if (isRefundOnly() || !networkTitles.some((title) => networks.isUp(title))) return "TECHNICAL_DIFFICULTIES";
    return canQuote(rates) ? "OK" : "TECHNICAL_DIFFICULTIES";
  };

  const look = async (): Promise<void> => {
    // A ping that hangs is not repeated: each would hold one more connection.
    pinging ??= ping();
    await Promise.race([pinging, new Promise((resolve) => setTimeout(resolve, timing.slowMs).unref())]);
    const status = judge();
    if (status !== shown) log.info({ status }, "health changed");
    shown = status;
  };

  return {
    status: judge,
    async start() {
      await look();
      timer = setInterval(() => void look(), timing.everyMs);
    },
    stop: () => clearInterval(timer),
  };
}

const defaultTiming = { everyMs: LOOK_EVERY_MS, slowMs: SLOW_MS, silenceMs: SILENCE_MS };

function canQuote(rates: Pick<Rates, "snapshot">): boolean {
  try {
    return rates.snapshot().prices.size > 0;
  } catch {
    // It throws what a caller is told; here only that it can't counts.
    return false;
  }
}
