import type { Log } from "../../base/logging/log.ts";
import type { MovableClock } from "../../base/clock.ts";
import type { PricePublisher } from "./price-publisher.ts";
import type { PriceSnapshots } from "./price-snapshot.ts";

/** Longer than the publisher's interval: without a bus this waits for its next snapshot. */
const FRESH_PRICES_TIMEOUT_MS = 5_000;

type Parts = { priceSnapshots: PriceSnapshots; clock: Pick<MovableClock, "now">; log: Log };

/** Publishes a new price snapshot: in this process, or in the one that publishes them, which `ask` tells and whose snapshot is waited for. */
export async function publishPrices(
  { priceSnapshots, clock, log }: Parts,
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
