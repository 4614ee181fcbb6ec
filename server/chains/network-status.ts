import type { Log } from "../base/log.ts";
import type { NetworkReader } from "./port.ts";

export type NetworkStatus = {
  /** Whether new orders may use the network; one without any report yet is up. */
  isUp(networkTitle: string): boolean;
  /**
   * Reports how a call to the network ended and how long it took: a node that hangs has failed since the call began,
   * not since the time-out.
   */
  report(networkTitle: string, ok: boolean, reason?: string, tookMs?: number): void;
  /** Reports the newest block; one that stays the same for long means that the chain or the node has stalled. */
  reportHead(networkTitle: string, hash: string): void;
  /** A network whose blocks are paused on purpose is not down. */
  setPaused(networkTitle: string, paused: boolean): void;
  /** A network whose wallet has not answered since the start is down: its ledger accounts may not be open yet. */
  setWalletReady(networkTitle: string, isReady: boolean): void;
  /** Calls back at each change; returns the unsubscribe function. */
  onChange(listener: (networkTitle: string, isUp: boolean) => void): () => void;
};

type NetworkHealth = {
  isUp: boolean;
  failingSince: number | null;
  succeededAt: number;
  reason: string;
  head: string | null;
  headSince: number;
  isPaused: boolean;
  isWalletReady: boolean;
};

const DOWN_AFTER_FAILING_MS = 10_000;
const DOWN_AFTER_STALL_MS = 60_000;

/** Decides from the reports which networks are up, and logs each change once. `now` is in milliseconds. */
export function createNetworkStatus(options: { log: Log; now?: () => number }): NetworkStatus {
  const { log, now = Date.now } = options;
  const networks = new Map<string, NetworkHealth>();
  const listeners = new Set<(networkTitle: string, isUp: boolean) => void>();

  const healthOf = (networkTitle: string): NetworkHealth => {
    const known = networks.get(networkTitle);
    if (known !== undefined) return known;
    const fresh = {
      isUp: true,
      failingSince: null,
      succeededAt: Number.NEGATIVE_INFINITY,
      reason: "",
      head: null,
      headSince: now(),
      isPaused: false,
      isWalletReady: true,
    };
    networks.set(networkTitle, fresh);
    return fresh;
  };

  const update = (networkTitle: string): boolean => {
    const health = healthOf(networkTitle);
    const error = errorOf(health, now());
    const isUp = error === null;
    if (isUp === health.isUp) return isUp;
    health.isUp = isUp;
    if (isUp) log.info({ networkTitle }, "the network is up again");
    else log.error({ networkTitle, reason: error }, "the network is down");
    for (const listener of listeners) listener(networkTitle, isUp);
    return isUp;
  };

  return {
    isUp: update,
    report: (networkTitle, ok, reason = "", tookMs = 0) => {
      const health = healthOf(networkTitle);
      // A call that began before the last success says nothing about the time since.
      if (ok) health.succeededAt = now();
      health.failingSince = ok ? null : (health.failingSince ?? Math.max(now() - tookMs, health.succeededAt));
      health.reason = reason;
      update(networkTitle);
    },
    reportHead: (networkTitle, hash) => {
      const health = healthOf(networkTitle);
      if (health.head !== hash) Object.assign(health, { head: hash, headSince: now() });
      update(networkTitle);
    },
    setPaused: (networkTitle, isPaused) => {
      Object.assign(healthOf(networkTitle), { isPaused, headSince: now() });
      update(networkTitle);
    },
    setWalletReady: (networkTitle, isWalletReady) => {
      Object.assign(healthOf(networkTitle), { isWalletReady });
      update(networkTitle);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function errorOf(health: NetworkHealth, now: number): string | null {
  if (!health.isWalletReady) return "its wallet has not answered since the start";
  if (health.failingSince !== null && now - health.failingSince >= DOWN_AFTER_FAILING_MS)
    return `its calls fail: ${health.reason}`;
  if (health.head !== null && !health.isPaused && now - health.headSince >= DOWN_AFTER_STALL_MS)
    return "its newest block stays the same";
  return null;
}

/** The same reader, with every call reported to the status. */
export function monitorReader(reader: NetworkReader, status: NetworkStatus): NetworkReader {
  const { networkTitle } = reader;
  const report = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    const startedAt = performance.now();
    try {
      const answer = await call;
      status.report(networkTitle, true);
      return answer;
    } catch (error) {
      status.report(
        networkTitle,
        false,
        error instanceof Error ? error.message : String(error),
        performance.now() - startedAt,
      );
      throw error;
    }
  };
  return {
    ...reader,
    head: async () => {
      const head = await report(reader.head());
      status.reportHead(networkTitle, head.hash);
      return head;
    },
    blockAt: (height) => report(reader.blockAt(height)),
    estimateFee: (slug) => report(reader.estimateFee(slug)),
  };
}
