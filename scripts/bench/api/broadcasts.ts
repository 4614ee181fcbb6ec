import { quantile } from "../statistics.ts";

/** One message on its way to everyone: messages a second, and the times in milliseconds after its first arrival. */
export type Broadcast = { perSecond: number; p50: number; p99: number };

type Waiting = { since: number; resolve: (broadcast: Broadcast) => void };

/** Tells from the arrivals of messages when `count` listeners have the same one. */
export function createBroadcasts(count: number): {
  take(text: string, at: number): void;
  /** The next message that arrives for the first time after `since` and reaches everyone. */
  next(since: number, withinMs: number): Promise<Broadcast>;
} {
  const arrivals = new Map<string, number[]>();
  let waiting: Waiting | null = null;

  return {
    take(text, at) {
      const times = arrivals.get(text) ?? [];
      times.push(at);
      arrivals.set(text, times);
      const [first] = times;
      if (times.length < count || first === undefined) return;
      arrivals.delete(text);
      if (waiting === null || first < waiting.since) return;
      waiting.resolve(judge(times, first));
      waiting = null;
    },
    next(since, withinMs) {
      return new Promise((resolve, reject) => {
        const timeout = setTimeout(() => reject(new Error(`a message did not reach all ${count} sockets`)), withinMs);
        waiting = {
          since,
          resolve: (broadcast) => {
            clearTimeout(timeout);
            resolve(broadcast);
          },
        };
      });
    },
  };
}

function judge(times: readonly number[], first: number): Broadcast {
  const delays = times.map((at) => at - first);
  return {
    perSecond: (times.length * 1000) / Math.max(...delays),
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
  };
}
