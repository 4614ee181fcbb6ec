import type { Log } from "../logging/log.ts";

export type Loop = {
  /** Runs the work soon, without waiting for the interval. */
  wake(): void;
  /** Lets a running turn end, and starts no other. */
  stop(): Promise<void>;
};

/** What a turn found: more to do at once, nothing until the next interval, or the milliseconds until something is due before that. */
export type TurnResult = boolean | number;
/** The time between two turns; a function is asked after each turn. */
export type Interval = number | (() => number);

/**
 * Repeats `turn`, one at a time; its result says when the next one is due. A turn that throws is logged and retried
 * at the next interval: losing one loses nothing, because the rows are the truth (engine law 1).
 */
export function startLoop(name: string, every: Interval, turn: () => Promise<TurnResult>, log: Log): Loop {
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
    let result: TurnResult = false;
    try {
      result = await turn();
    } catch (error) {
      log.error({ err: error, loop: name }, "a loop's turn failed; retrying");
    }
    running = null;
    schedule(result === true || woken ? 0 : pauseAfter(result, typeof every === "number" ? every : every()));
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

/** What is due now and was not done, because another process does it, is looked for again after this. */
const MIN_PAUSE_MS = 50;

const pauseAfter = (result: TurnResult, everyMs: number): number =>
  typeof result === "number" ? Math.min(everyMs, Math.max(MIN_PAUSE_MS, result)) : everyMs;

/** The same for work that has no more to do at once, however much it found. */
export function repeat(name: string, every: Interval, work: () => Promise<unknown>, log: Log): Loop {
  const turn = async () => {
    await work();
    return false;
  };
  return startLoop(name, every, turn, log);
}

/** Calls `work` at the first call and then at most every `gapMs`; a call in between is made up for at the end of the gap. */
export function throttle(gapMs: number, work: () => void): { call(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let isCalledAgain = false;
  const call = (): void => {
    if (timer !== null) {
      isCalledAgain = true;
      return;
    }
    timer = setTimeout(() => {
      timer = null;
      if (isCalledAgain) call();
    }, gapMs);
    // A process that is done does not wait for the end of the gap.
    timer.unref();
    isCalledAgain = false;
    work();
  };
  return {
    call,
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
