import { OverloadError } from "../overload-error.ts";

type Waiting = { begin(): void };

export type TurnLimits = {
  /** Of all names together. */
  atATime: number;
  /** Whoever has waited for so long is refused. */
  waitMs: number;
};

/** Runs `work` in the turn of `name`. Throws an `OverloadError`, and runs nothing, when no turn came in time. */
export type Turns = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

const RETRY_SECONDS = 2;

/**
 * One piece of work at a time for each name, and a few for all of them, whose names take turns. Work that locks a row or a name in the database
 * waits here: there each would keep one of our connections from everybody else, and one client can send hundreds of them at once.
 */
export function createTurns({ atATime, waitMs }: TurnLimits): Turns {
  /** In the order of their turns; a name that has had one goes to the end. */
  const waiting = new Map<string, Set<Waiting>>();
  const running = new Set<string>();

  const next = (): void => {
    for (const [name, queue] of waiting) {
      if (running.size >= atATime) return;
      const [first] = queue;
      if (first === undefined) waiting.delete(name);
      if (first === undefined || running.has(name)) continue;
      queue.delete(first);
      waiting.delete(name);
      if (queue.size > 0) waiting.set(name, queue);
      running.add(name);
      first.begin();
    }
  };
  const turn = async (name: string): Promise<void> => {
    const mine = Promise.withResolvers<void>();
    const one: Waiting = { begin: mine.resolve };
    const queue = waiting.get(name) ?? new Set();
    waiting.set(name, queue.add(one));
    next();
    const timer = setTimeout(() => {
      if (queue.delete(one)) mine.reject(busy());
    }, waitMs);
    await mine.promise.finally(() => clearTimeout(timer));
  };

  return async (name, work) => {
    await turn(name);
    try {
      return await work();
    } finally {
      running.delete(name);
      next();
    }
  };
}

const busy = (): OverloadError => new OverloadError("Try again in a moment", RETRY_SECONDS);
