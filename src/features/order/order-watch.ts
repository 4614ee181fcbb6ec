import type { Order } from "#contract/order.ts";
import { isAddressIncorrect } from "./load.ts";
import { POLL_MS, pollInterval } from "./model/screen.ts";

/** An order and when it came from the service, by its clock, ISO-8601. */
export type Seen = { readonly order: Order; readonly seenAt: string };

export type Watched = {
  readonly seen: Seen | null;
  /** The service knows no such pair of id and address; it is asked no more. */
  readonly isAddressIncorrect: boolean;
  /** The last look failed: what is shown is older than it should be. */
  readonly isFailing: boolean;
};

type WatchParts = {
  readonly first: Watched;
  /** What is shown at first did not just come from the service, so that it is looked at once. */
  readonly isFirstOld: boolean;
  readonly look: (signal: AbortSignal) => Promise<Seen>;
  /** A hidden or offline page does not look. */
  readonly isWatched: () => boolean;
  readonly onChange: (watched: Watched) => void;
};

export type OrderWatch = {
  /** The page is seen or connected again: looks at once, unless it is looking already or the order is done. */
  resume: () => void;
  /** Looks anew, whatever is under way. */
  checkNow: () => Promise<void>;
  /** Takes an order that came as the answer to another call. */
  put: (seen: Seen) => void;
  /** Breaks off the look that is under way; `resume` goes on. */
  pause: () => void;
};

/**
 * Keeps an order fresh by the rule of spec §4: one look every 5 s until step 3, or until its address is judged incorrect. There is
 * never more than one timer and one request, whatever asks for them.
 */
export function watchOrder({ first, isFirstOld, look, isWatched, onChange }: WatchParts): OrderWatch {
  let watched = first;
  let isOld = isFirstOld || first.isFailing;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | null = null;

  const isDue = (): boolean => isOld || pollInterval(watched.seen?.order, watched.isAddressIncorrect) > 0;

  const settle = (changes: Partial<Watched>) => {
    watched = { ...watched, ...changes };
    isOld = watched.isFailing;
    onChange(watched);
    plan();
  };
  const plan = () => {
    clearTimeout(timer);
    if (isDue()) timer = setTimeout(() => isWatched() && void checkNow(), POLL_MS);
  };
  const pause = () => {
    clearTimeout(timer);
    running?.abort();
    running = null;
  };
  const checkNow = async () => {
    pause();
    const mine = new AbortController();
    running = mine;
    const changes = await outcomeOf(look(mine.signal));
    if (running !== mine) return;
    running = null;
    settle(changes);
  };

  if (isOld || first.seen === null) void checkNow();
  else plan();
  return {
    resume: () => {
      if (running === null && isDue() && isWatched()) void checkNow();
    },
    checkNow,
    put: (seen) => {
      pause();
      settle({ seen, isFailing: false });
    },
    pause,
  };
}

async function outcomeOf(looking: Promise<Seen>): Promise<Partial<Watched>> {
  try {
    return { seen: await looking, isFailing: false };
  } catch (error) {
    if (isAddressIncorrect(error)) return { isAddressIncorrect: true, isFailing: false };
    console.debug("the order can't be looked at now", error);
    return { isFailing: true };
  }
}
