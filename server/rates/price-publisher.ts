import type { MovableClock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Boards } from "./price-snapshot.ts";
import type { NetworkFees } from "./fees.ts";
import type { MarketPrices } from "./market/prices.ts";
import type { Board } from "./port.ts";

const MAKE_EVERY_MS = 3_000;
const PRUNE_EVERY_MS = 60_000;

export type BoardMaker = {
  /** Takes all prices anew; what changed before the call is in the board that it gives. Null while another process makes them. */
  make(): Promise<Board | null>;
  /** Makes the first board, then one every 3 s. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type BoardMakerOptions = {
  boards: Boards;
  market: MarketPrices;
  fees: NetworkFees;
  /** Absent where there are no partners. */
  partners?: { take(prices: Board["prices"]): Promise<NonNullable<Board["partners"]>> };
  clock: Pick<MovableClock, "now" | "refresh">;
  /** Whether this process is the one that makes boards. */
  mayMake?: () => Promise<boolean>;
  log: Log;
};

export function createBoardMaker({
  boards,
  market,
  fees,
  partners,
  clock,
  mayMake = async () => true,
  log,
}: BoardMakerOptions): BoardMaker {
  const timers: NodeJS.Timeout[] = [];
  let tail: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  let hasRemembered = false;

  const makeNow = async (): Promise<Board | null> => {
    await Promise.all([clock.refresh(), boards.refresh()]);
    if (!(await mayMake())) {
      // Whoever takes over judges by the prices of the one before, not by its own of long ago.
      hasRemembered = false;
      return null;
    }
    const at = clock.now();
    const last = boards.newest();
    if (!hasRemembered && last !== null) await market.remember(last.prices);
    hasRemembered = true;
    const [prices, costs] = await Promise.all([market.take(), fees.take()]);
    const curves = await partners?.take(prices);
    return boards.publish({ at, prices, fees: costs, ...(curves && { partners: curves }) });
  };

  const make = (): Promise<Board | null> => {
    const made = tail.then(makeNow, makeNow);
    tail = made;
    return made;
  };

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
      every(MAKE_EVERY_MS, "no board could be made", make);
      every(PRUNE_EVERY_MS, "old boards could not be deleted", () => boards.prune(clock.now()));
    },
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await Promise.allSettled([...running, tail]);
    },
  };
}
