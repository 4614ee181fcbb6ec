import type { Log } from "../base/logging/log.ts";
import { DOWN_AFTER_FAILING_MS, downReason, type HealthLimits, type NetworkHealth } from "./network-health.ts";
import type { BlockRef, NetworkReader } from "./port.ts";

export type NetworkStatus = {
  /** Whether new orders may use the network; one without any report yet is up. */
  isUp(networkTitle: string): boolean;
  /**
   * Reports how a call to the network ended and how long it took: a node that hangs has failed since the call began,
   * not since the time-out.
   */
  report(networkTitle: string, ok: boolean, reason?: string, tookMs?: number): void;
  /** Reports that its node was asked for its newest block; the function that is returned ends the wait for an answer. */
  ask(networkTitle: string): () => void;
  /** Reports the newest block of its node. */
  reportHead(networkTitle: string, head: Pick<BlockRef, "height" | "hash">, others?: HeadContext): void;
  /** Reports the newest block that we have read: a node that is behind it can't be relied on. */
  reportTail(networkTitle: string, height: number): void;
  /** The newest block that was reported as read. */
  tailHeight(networkTitle: string): number | null;
  /** A network whose blocks are paused on purpose is not down. */
  setPaused(networkTitle: string, paused: boolean): void;
  /** A network whose wallet has not answered since the start is down: its ledger accounts may not be open yet. */
  setWalletReady(networkTitle: string, isReady: boolean): void;
  /** What this process knows of a network now, for its metrics. */
  figures(networkTitle: string): NetworkFigures;
  /** Calls back at each change; returns the unsubscribe function. */
  onChange(listener: (networkTitle: string, isUp: boolean) => void): () => void;
};

export type NetworkFigures = {
  isUp: boolean;
  /** Null until the node has answered once. */
  head: { height: number; ageSeconds: number } | null;
};

/**
 * What a newest block is compared with: that of the node which is furthest ahead, where there are several, and what had been read when
 * the node was asked.
 */
type HeadContext = { highestHeight?: number; readBefore?: number | null };

type Known = Omit<NetworkHealth, "unreadSince" | "hangingSince"> & {
  isUp: boolean;
  succeededAt: number;
  /** When its node was asked for what it has not answered yet; rising. */
  asked: Set<{ at: number }>;
  headHash: string | null;
  /** The heights that its node has shown above what is read, and when each was shown first; rising. */
  unread: { height: number; since: number }[];
};

/** Of more unread heads than these only the oldest and the newest times are kept. */
const MAX_UNREAD = 1_000;

/** For a network that the catalogue doesn't have. */
const USUAL_LIMITS: HealthLimits = { standstillSeconds: 120, lagBlocks: 2 };

export type NetworkStatusOptions = {
  log: Log;
  /** By network title, from the catalogue. */
  limits?: ReadonlyMap<string, HealthLimits>;
  /** In milliseconds; must never run back. */
  now?: () => number;
};

/** Decides from the reports which networks are up (engine law 18), and logs each change once. */
export function createNetworkStatus(options: NetworkStatusOptions): NetworkStatus {
  const { log, limits = new Map<string, HealthLimits>(), now = () => performance.now() } = options;
  const networks = new Map<string, Known>();
  const listeners = new Set<(networkTitle: string, isUp: boolean) => void>();

  const healthOf = (networkTitle: string): Known => {
    const known = networks.get(networkTitle);
    if (known !== undefined) return known;
    const fresh: Known = {
      isUp: true,
      isWalletReady: true,
      isPaused: false,
      hasAnswered: false,
      failingSince: null,
      succeededAt: Number.NEGATIVE_INFINITY,
      asked: new Set(),
      reason: "",
      headHeight: null,
      headHash: null,
      headSince: now(),
      tailHeight: null,
      readBefore: null,
      unread: [],
      highestHeight: null,
    };
    networks.set(networkTitle, fresh);
    return fresh;
  };

  const update = (networkTitle: string): boolean => {
    const health = healthOf(networkTitle);
    const unreadSince = health.unread[0]?.since ?? null;
    const [longest] = health.asked;
    const hangingSince = longest === undefined ? null : Math.max(longest.at, health.succeededAt);
    const error = downReason({ ...health, unreadSince, hangingSince }, limits.get(networkTitle) ?? USUAL_LIMITS, now());
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
      if (ok) Object.assign(health, { succeededAt: now(), hasAnswered: true });
      health.failingSince = ok ? null : (health.failingSince ?? Math.max(now() - tookMs, health.succeededAt));
      health.reason = reason;
      update(networkTitle);
    },
    ask: (networkTitle) => {
      const question = { at: now() };
      const { asked } = healthOf(networkTitle);
      asked.add(question);
      // One that hangs is found while it does: the time-out of its calls is longer.
      const timer = setTimeout(() => update(networkTitle), DOWN_AFTER_FAILING_MS).unref();
      return () => {
        clearTimeout(timer);
        asked.delete(question);
      };
    },
    reportHead: (networkTitle, { height, hash }, context = {}) => {
      const health = healthOf(networkTitle);
      const { highestHeight = height, readBefore = health.tailHeight } = context;
      if (health.headHash !== hash) Object.assign(health, { headHash: hash, headSince: now() });
      Object.assign(health, { headHeight: height, highestHeight, readBefore });
      noteUnread(health, now());
      update(networkTitle);
    },
    reportTail: (networkTitle, height) => {
      const health = healthOf(networkTitle);
      health.tailHeight = height;
      noteUnread(health, now());
      update(networkTitle);
    },
    figures: (networkTitle) => {
      const isUp = update(networkTitle);
      const { headHeight, headSince } = healthOf(networkTitle);
      return {
        isUp,
        head: headHeight === null ? null : { height: headHeight, ageSeconds: (now() - headSince) / 1_000 },
      };
    },
    tailHeight: (networkTitle) => healthOf(networkTitle).tailHeight,
    setPaused: (networkTitle, isPaused) => {
      Object.assign(healthOf(networkTitle), { isPaused, headSince: now(), unread: [] });
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

/** A reader that is slower than its chain reads a block now and then, and never the newest ones: what counts is how old the oldest unread one is. */
function noteUnread({ headHeight, tailHeight, unread }: Known, now: number): void {
  if (headHeight === null || tailHeight === null) return;
  while (unread[0] !== undefined && unread[0].height <= tailHeight) unread.shift();
  while ((unread.at(-1)?.height ?? 0) > headHeight) unread.pop();
  const newest = unread.at(-1)?.height ?? tailHeight;
  if (headHeight <= newest) return;
  if (unread.length === MAX_UNREAD) unread.pop();
  unread.push({ height: headHeight, since: now });
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
      const readBefore = status.tailHeight(networkTitle);
      const answered = status.ask(networkTitle);
      const head = await report(reader.head()).finally(answered);
      const { highestHeight = head.height } = head;
      status.reportHead(networkTitle, head, { highestHeight, readBefore });
      return head;
    },
    blockAt: (height) => report(reader.blockAt(height)),
    estimateFee: (slug) => report(reader.estimateFee(slug)),
  };
}
