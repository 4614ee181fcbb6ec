import type { Log } from "./log.ts";

export type Loop = {
  /** Runs the work soon, without waiting for the interval. */
  wake(): void;
  /** Lets a running turn end, and starts no other. */
  stop(): Promise<void>;
};

/**
 * Repeats `turn`, one at a time; its result says whether there is more to do at once. A turn that throws is logged and retried
 * at the next interval: losing one loses nothing, because the rows are the truth (engine law 1).
 */
export function startLoop(name: string, everyMs: number, turn: () => Promise<boolean>, log: Log): Loop {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let woken = false;
  let stopped = false;

  const schedule = (delayMs: number) => {
    if (stopped) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void start(), delayMs);
  };

  const start = async (): Promise<void> => {
    if (running !== null) {
      woken = true;
      return;
    }
    woken = false;
    running = run();
    await running;
  };

  const run = async () => {
    let more = false;
    try {
      more = await turn();
    } catch (error) {
      log.error({ err: error, loop: name }, "a loop's turn failed; retrying");
    }
    running = null;
    schedule(more || woken ? 0 : everyMs);
  };

  schedule(0);
  return {
    wake: () => {
      if (running === null) schedule(0);
      else woken = true;
    },
    stop: async () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

/** The same for work that has no more to do at once, however much it found. */
export function repeat(name: string, everyMs: number, work: () => Promise<unknown>, log: Log): Loop {
  const turn = async () => {
    await work();
    return false;
  };
  return startLoop(name, everyMs, turn, log);
}
