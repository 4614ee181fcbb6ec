import type { HealthStatus } from "#contract/health.ts";
import type { Database } from "../../db/database.ts";
import type { CreationWatch } from "./creation-watch.ts";
import type { Log } from "../../base/logging/log.ts";

const CHECK_EVERY_MS = 2_000;
const SLOW_MS = 1_500;
/** Longer than one missed check: clients show an unhealthy service as down. */
const SILENCE_MS = 5_000;
/** Beats of this process in `silenceMs`: a late one counts as one only, whatever kept the process from running. */
const BEATS = 20;
/** The locks that every new order takes: whoever keeps one that excludes them stops the service, while the database answers. */
const PING = `begin; set local lock_timeout = '1s';
  lock table orders, order_events, deposit_addresses in row exclusive mode; commit`;

export type Health = {
  /** From memory: answers at once even when the database hangs. */
  status(): HealthStatus;
  /** Checks once, then periodically. */
  start(): Promise<void>;
  stop(): void;
};

export type HealthParts = {
  database: Pick<Database, "pool">;
  /** Throws while nothing can be quoted. */
  rates: { snapshot(): { prices: ReadonlyMap<string, unknown> } };
  networks: { isUp(networkTitle: string): boolean };
  /** What has become of the last orders that somebody created. */
  creations?: Pick<CreationWatch, "isFailingFor">;
  /** False while the worker that this process has started is dead: orders are taken, and served once it is back. */
  isWorkerUp?: () => boolean;
  /** True in refund-only mode. */
  isRefundOnly?: () => boolean;
  /** The networks of the active instruments. */
  networkTitles: readonly string[];
  log: Log;
  timing?: { everyMs: number; slowMs: number; silenceMs: number };
};

/**
 * UNHEALTHY without the database or while it lets no order through, TECHNICAL_DIFFICULTIES while nothing can be quoted, no network works,
 * its worker is dead or only refunds and payouts are served; one dead network disables its pairs, not the site.
 */
export function createHealth({
  database,
  rates,
  networks,
  networkTitles,
  isWorkerUp = () => true,
  isRefundOnly = () => false,
  creations = { isFailingFor: () => false },
  log,
  timing = defaultTiming,
}: HealthParts): Health {
  const running = measureRunning(timing.silenceMs / BEATS);
  let pingedAt = Number.NEGATIVE_INFINITY;
  let pinging: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let logged: HealthStatus | null = null;

  const ping = async (): Promise<void> => {
    try {
      await database.pool.query(PING);
      pingedAt = running.ms();
    } catch (error) {
      log.warn({ err: error }, "the database did not answer the health check");
    } finally {
      pinging = null;
    }
  };

  const currentStatus = (): HealthStatus => {
    if (running.ms() - pingedAt > timing.silenceMs) return "UNHEALTHY";
    if (creations.isFailingFor(timing.silenceMs)) return "UNHEALTHY";
    if (!isWorkerUp() || isRefundOnly() || !networkTitles.some((title) => networks.isUp(title)))
      return "TECHNICAL_DIFFICULTIES";
    return canQuote(rates) ? "OK" : "TECHNICAL_DIFFICULTIES";
  };

  const check = async (): Promise<void> => {
    // A hanging ping is not repeated: each would hold one more connection.
    pinging ??= ping();
    await Promise.race([pinging, new Promise((resolve) => setTimeout(resolve, timing.slowMs).unref())]);
    const status = currentStatus();
    if (status !== logged) log.info({ status }, "health changed");
    logged = status;
  };

  return {
    status: currentStatus,
    async start() {
      await check();
      timer = setInterval(() => void check(), timing.everyMs);
    },
    stop: () => {
      clearInterval(timer);
      running.stop();
    },
  };
}

/** Time in which this process ran: while its own work or the machine stops its loop, nobody's answer can be late. */
function measureRunning(everyMs: number): { ms(): number; stop(): void } {
  let sum = 0;
  let beatAt = performance.now();
  const sinceBeat = () => Math.min(everyMs, performance.now() - beatAt);
  const timer = setInterval(() => {
    sum += sinceBeat();
    beatAt = performance.now();
  }, everyMs).unref();
  return { ms: () => sum + sinceBeat(), stop: () => clearInterval(timer) };
}

const defaultTiming = { everyMs: CHECK_EVERY_MS, slowMs: SLOW_MS, silenceMs: SILENCE_MS };

function canQuote(rates: HealthParts["rates"]): boolean {
  try {
    return rates.snapshot().prices.size > 0;
  } catch {
    // The error is meant for callers; the status needs only the fact.
    return false;
  }
}
