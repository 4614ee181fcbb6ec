import type { MovableClock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { PriceSnapshots } from "./price-snapshot.ts";
import type { NetworkFees } from "./network-fees.ts";
import type { MarketPrices } from "../market/prices.ts";
import type { PriceSnapshot } from "../port.ts";

const MAKE_EVERY_MS = 3_000;
const PRUNE_EVERY_MS = 60_000;
/** Longer than the publisher's interval: without a bus this waits for its next snapshot. */
const FRESH_PRICES_TIMEOUT_MS = 5_000;

export type PricePublisher = {
  /** Reads all prices again; the returned snapshot has every change from before the call. Null while another process publishes. */
  make(): Promise<PriceSnapshot | null>;
  /** Publishes the first snapshot, then one every 3 s. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type PricePublisherOptions = {
  priceSnapshots: PriceSnapshots;
  market: MarketPrices;
  fees: NetworkFees;
  /** Absent where there are no partners. */
  partners?: { take(prices: PriceSnapshot["prices"]): Promise<NonNullable<PriceSnapshot["partners"]>> };
  clock: Pick<MovableClock, "now" | "refresh">;
  /** Whether this process is the one that publishes price snapshots. */
  mayMake?: () => Promise<boolean>;
  log: Log;
};

export function createPricePublisher({
  priceSnapshots,
  market,
  fees,
  partners,
  clock,
  mayMake = async () => true,
  log,
}: PricePublisherOptions): PricePublisher {
  const timers: NodeJS.Timeout[] = [];
  let tail: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  let hasRemembered = false;

  /** Before the first snapshot of this publisher, and before one that was asked for, what others have changed is read. */
  const makeNow = async (isAsked: boolean): Promise<PriceSnapshot | null> => {
    if (isAsked || !hasRemembered) await Promise.all([clock.refresh(), priceSnapshots.refresh()]);
    if (!(await mayMake())) {
      // A new publisher goes on from its predecessor's prices and fees, not from its own old ones.
      hasRemembered = false;
      return null;
    }
    const at = clock.now();
    const last = priceSnapshots.newest();
    if (!hasRemembered && last !== null) {
      fees.remember(last.fees, at.getTime() - last.at.getTime());
      await market.remember(last.prices);
    }
    hasRemembered = true;
    const [prices, costs] = await Promise.all([market.take({ mayRemember: !isAsked }), fees.take()]);
    const curves = await partners?.take(prices);
    return priceSnapshots.publish({ at, prices, fees: costs, ...(curves && { partners: curves }) });
  };

  const inTurn = (isAsked: boolean): Promise<PriceSnapshot | null> => {
    const made = tail.then(
      () => makeNow(isAsked),
      () => makeNow(isAsked),
    );
    tail = made;
    return made;
  };
  const make = () => inTurn(true);

  const every = (ms: number, what: string, work: () => Promise<unknown>): void => {
    let last: Promise<unknown> | null = null;
    const run = () => {
      if (last) return;
      const now = work()
        .catch((error: unknown) => log.error({ err: error }, what))
        .finally(() => {
          running.delete(now);
          last = null;
        });
      last = now;
      running.add(now);
    };
    timers.push(setInterval(run, ms));
  };

  return {
    make,
    async start() {
      await make();
      every(MAKE_EVERY_MS, "no snapshot could be made", () => inTurn(false));
      every(PRUNE_EVERY_MS, "old price snapshots could not be deleted", () => priceSnapshots.prune(clock.now()));
    },
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await Promise.allSettled([...running, tail]);
    },
  };
}

type PublishParts = { priceSnapshots: PriceSnapshots; clock: Pick<MovableClock, "now">; log: Log };

/** Publishes a new price snapshot: in this process, or in the one that publishes them, which `ask` tells and whose snapshot is waited for. */
export async function publishPrices(
  { priceSnapshots, clock, log }: PublishParts,
  pricePublisher: PricePublisher | null,
  ask: () => void,
): Promise<void> {
  const requestedAt = clock.now();
  if (pricePublisher !== null && (await pricePublisher.make()) !== null) return;
  const isFresh = () => (priceSnapshots.newest()?.at ?? requestedAt) > requestedAt;
  const fresh = Promise.withResolvers<void>();
  const unsubscribe = priceSnapshots.onChange(() => isFresh() && fresh.resolve());
  const timer = setTimeout(fresh.resolve, FRESH_PRICES_TIMEOUT_MS);
  ask();
  await fresh.promise;
  clearTimeout(timer);
  unsubscribe();
  if (!isFresh()) log.warn("no process has published new prices");
}
