import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { ignoreAbort } from "../concurrency/ignore-abort.ts";

/** In milliseconds, between the end of a child and the next start. */
export type RestartPauses = { firstMs: number; maxMs: number };

export type Launched = {
  child: ChildProcess;
  /** How it ended: a signal, an exit code or why it could not be started. */
  ended: Promise<string>;
};

export type ChildKeeperOptions<One extends Launched> = {
  /** The child that runs already. */
  first: One;
  launch: () => One;
  pauses: RestartPauses;
  onDeath: (how: string, pauseMs: number) => void;
  onLaunch?: (launched: One) => void;
};

export type ChildKeeper<One extends Launched> = {
  current(): One;
  /** Starts no other child once `end` has ended the current one. */
  stop(end: (current: One) => Promise<void>): Promise<void>;
};

/** Starts a child again whenever it ends, with growing pauses while it does not stay up for as long as the longest pause. */
export function keepChild<One extends Launched>(options: ChildKeeperOptions<One>): ChildKeeper<One> {
  const { first, launch, pauses, onDeath, onLaunch } = options;
  const stopping = new AbortController();
  let current = first;

  const keep = async (): Promise<void> => {
    for (let pauseMs = pauses.firstMs; ; pauseMs = Math.min(pauseMs * 2, pauses.maxMs)) {
      const startedAt = performance.now();
      const how = await current.ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > pauses.maxMs) pauseMs = pauses.firstMs;
      onDeath(how, pauseMs);
      await delay(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(ignoreAbort);
      if (stopping.signal.aborted) return;
      current = launch();
      onLaunch?.(current);
    }
  };

  const kept = keep();
  return {
    current: () => current,
    stop: async (end) => {
      stopping.abort();
      await end(current);
      await kept;
    },
  };
}

/** How a child ended, or why it could not be started. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}
