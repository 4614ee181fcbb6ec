import type { House } from "./services.ts";
import type { BoardMaker } from "./rates/price-publisher.ts";

/** Longer than the maker's own interval: without a bus its next turn is waited for. */
const GIVE_UP_AFTER_MS = 5_000;

/** Has all prices taken anew: by this process where it makes the boards, else by the one that does, whose board is waited for. */
export async function takeFreshPrices(house: House, boardMaker: BoardMaker | null): Promise<void> {
  const askedAt = house.clock.now();
  if (boardMaker !== null && (await boardMaker.make()) !== null) return;
  const isFresh = () => (house.boards.newest()?.at ?? askedAt) > askedAt;
  const fresh = Promise.withResolvers<void>();
  const end = house.boards.onChange(() => isFresh() && fresh.resolve());
  const timer = setTimeout(fresh.resolve, GIVE_UP_AFTER_MS);
  house.shared.bus.tell("prices");
  await fresh.promise;
  clearTimeout(timer);
  end();
  if (!isFresh()) house.log.warn("no process has taken the prices anew");
}
