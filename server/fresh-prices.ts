import type { House } from "./services.ts";
import type { PricePublisher } from "./rates/price-publisher.ts";

/** Longer than the maker's own interval: without a bus its next turn is waited for. */
const GIVE_UP_AFTER_MS = 5_000;

/** Has all prices taken anew: by this process where it publishes price snapshots, else by the one that does, whose snapshot is awaited. */
export async function takeFreshPrices(house: House, pricePublisher: PricePublisher | null): Promise<void> {
  const askedAt = house.clock.now();
  if (pricePublisher !== null && (await pricePublisher.make()) !== null) return;
  const isFresh = () => (house.priceSnapshots.newest()?.at ?? askedAt) > askedAt;
  const fresh = Promise.withResolvers<void>();
  const end = house.priceSnapshots.onChange(() => isFresh() && fresh.resolve());
  const timer = setTimeout(fresh.resolve, GIVE_UP_AFTER_MS);
  house.shared.bus.tell("prices");
  await fresh.promise;
  clearTimeout(timer);
  end();
  if (!isFresh()) house.log.warn("no process has taken the prices anew");
}
