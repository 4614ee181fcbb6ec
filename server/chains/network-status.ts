import type { Log } from "../base/log.ts";
import type { NetworkReader } from "./port.ts";

export type NetworkStatus = {
  /** Whether the network can be trusted with new orders; one that nothing was reported of yet is up. */
  isUp(networkTitle: string): boolean;
  /** Tells how a call to the network ended, and what it took: a node that hangs was dead from its start on, not since the time-out. */
  report(networkTitle: string, ok: boolean, reason?: string, tookMs?: number): void;
  /** Tells what the newest block is; one that stays the same for long means that the chain, or the node, stands still. */
  reportHead(networkTitle: string, hash: string): void;
  /** A network whose blocks are stopped on purpose is not dead. */
  setPaused(networkTitle: string, paused: boolean): void;
  /** A network whose wallet has not answered since the start is down, whatever its node does: its books may not be open. */
  setOpen(networkTitle: string, open: boolean): void;
  /** Calls back at each change; gives the function that ends this. */
  onChange(listener: (networkTitle: string, isUp: boolean) => void): () => void;
};

type Sight = {
  isUp: boolean;
  failingSince: number | null;
  succeededAt: number;
  reason: string;
  head: string | null;
  headSince: number;
  isPaused: boolean;
  isOpen: boolean;
};

const DOWN_AFTER_FAILING_MS = 10_000;
const DOWN_AFTER_STANDSTILL_MS = 60_000;

/** Judges from what is reported which networks are up, and logs each change once. `now` is in milliseconds. */
export function createNetworkStatus(options: { log: Log; now?: () => number }): NetworkStatus {
  const { log, now = Date.now } = options;
  const sights = new Map<string, Sight>();
  const listeners = new Set<(networkTitle: string, isUp: boolean) => void>();

  const sightOf = (networkTitle: string): Sight => {
    const known = sights.get(networkTitle);
    if (known !== undefined) return known;
    const fresh = {
      isUp: true,
      failingSince: null,
      succeededAt: Number.NEGATIVE_INFINITY,
      reason: "",
      head: null,
      headSince: now(),
      isPaused: false,
      isOpen: true,
    };
    sights.set(networkTitle, fresh);
    return fresh;
  };

  const judge = (networkTitle: string): boolean => {
    const sight = sightOf(networkTitle);
    const trouble = troubleOf(sight, now());
    const isUp = trouble === null;
    if (isUp === sight.isUp) return isUp;
    sight.isUp = isUp;
    if (isUp) log.info({ networkTitle }, "the network is up again");
    else log.error({ networkTitle, reason: trouble }, "the network is down");
    for (const listener of listeners) listener(networkTitle, isUp);
    return isUp;
  };

  return {
    isUp: judge,
    report: (networkTitle, ok, reason = "", tookMs = 0) => {
      const sight = sightOf(networkTitle);
      // A call that began before the last success says nothing of the time since.
      if (ok) sight.succeededAt = now();
      sight.failingSince = ok ? null : (sight.failingSince ?? Math.max(now() - tookMs, sight.succeededAt));
      sight.reason = reason;
      judge(networkTitle);
    },
    reportHead: (networkTitle, hash) => {
      const sight = sightOf(networkTitle);
      if (sight.head !== hash) Object.assign(sight, { head: hash, headSince: now() });
      judge(networkTitle);
    },
    setPaused: (networkTitle, isPaused) => {
      Object.assign(sightOf(networkTitle), { isPaused, headSince: now() });
      judge(networkTitle);
    },
    setOpen: (networkTitle, isOpen) => {
      Object.assign(sightOf(networkTitle), { isOpen });
      judge(networkTitle);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function troubleOf(sight: Sight, now: number): string | null {
  if (!sight.isOpen) return "its wallet has not answered since the start";
  if (sight.failingSince !== null && now - sight.failingSince >= DOWN_AFTER_FAILING_MS)
    return `its calls fail: ${sight.reason}`;
  if (sight.head !== null && !sight.isPaused && now - sight.headSince >= DOWN_AFTER_STANDSTILL_MS)
    return "its newest block stays the same";
  return null;
}

/** The same reader, whose every call to the node tells the status how it ended. */
export function reported(reader: NetworkReader, status: NetworkStatus): NetworkReader {
  const { networkTitle } = reader;
  const telling = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    const begunAt = performance.now();
    try {
      const answer = await call;
      status.report(networkTitle, true);
      return answer;
    } catch (error) {
      status.report(
        networkTitle,
        false,
        error instanceof Error ? error.message : String(error),
        performance.now() - begunAt,
      );
      throw error;
    }
  };
  return {
    ...reader,
    head: async () => {
      const head = await telling(reader.head());
      status.reportHead(networkTitle, head.hash);
      return head;
    },
    blockAt: (height) => telling(reader.blockAt(height)),
    estimateFee: (slug) => telling(reader.estimateFee(slug)),
  };
}
