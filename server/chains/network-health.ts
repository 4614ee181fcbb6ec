/** What is known of a network; times in milliseconds of one clock, heights in blocks. */
export type NetworkHealth = {
  isWalletReady: boolean;
  /** Whether its blocks are paused on purpose. */
  isPaused: boolean;
  /** Whether any call has succeeded since the start. */
  hasAnswered: boolean;
  failingSince: number | null;
  /** Since when its node owes an answer about its newest block, or nothing has succeeded since then. */
  hangingSince: number | null;
  /** How its last call failed. */
  reason: string;
  /** The newest block that its node shows, or that its nodes agree on. */
  headHeight: number | null;
  headSince: number;
  /** The newest block that we have read. */
  tailHeight: number | null;
  /** The same when the node was asked for its newest block: what was read since says nothing about its answer. */
  readBefore: number | null;
  /** Since when the node shows the oldest block that has not been read; null while there is none. */
  unreadSince: number | null;
  /** The newest block that any of several nodes shows. */
  highestHeight: number | null;
};

/** The pace that a network is judged by (engine law 18). */
export type HealthLimits = { standstillSeconds: number; lagBlocks: number };

export const DOWN_AFTER_FAILING_MS = 10_000;

/** Why a network is down at `now`, or null while it is up. */
export function downReason(health: NetworkHealth, limits: HealthLimits, now: number): string | null {
  if (!health.isWalletReady) return "its wallet has not answered since the start";
  const { failingSince, hasAnswered } = health;
  // A network that has never answered is down at its first failure.
  if (failingSince !== null && (!hasAnswered || now - failingSince >= DOWN_AFTER_FAILING_MS))
    return `its calls fail: ${health.reason}`;
  if (health.hangingSince !== null && now - health.hangingSince >= DOWN_AFTER_FAILING_MS)
    return `its node has not answered for ${DOWN_AFTER_FAILING_MS / 1_000} seconds`;
  return heightReason(health, limits) ?? (health.isPaused ? null : standstillReason(health, limits, now));
}

function heightReason({ headHeight, readBefore, highestHeight }: NetworkHealth, limits: HealthLimits): string | null {
  if (headHeight === null) return null;
  if (readBefore !== null && headHeight < readBefore)
    return `its node is at block ${headHeight}, behind block ${readBefore} that was read before`;
  if (highestHeight !== null && highestHeight - headHeight > limits.lagBlocks)
    return `its nodes agree on block ${headHeight} only, and one of them is at block ${highestHeight}`;
  return null;
}

function standstillReason(health: NetworkHealth, { standstillSeconds }: HealthLimits, now: number): string | null {
  const { headHeight, headSince, tailHeight, unreadSince } = health;
  const isOver = (since: number): boolean => now - since >= standstillSeconds * 1_000;
  if (headHeight === null) return null;
  if (isOver(headSince)) return `its newest block has been the same for ${standstillSeconds} seconds`;
  if (unreadSince !== null && isOver(unreadSince))
    return `the block after ${tailHeight} has not been read for ${standstillSeconds} seconds`;
  return null;
}
