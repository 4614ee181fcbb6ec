/** Limit of the calls that show whether a node answers. */
export const PROBE_TIMEOUT_MS = 3_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

export type NodeHealth = {
  isUsable(): boolean;
  /** Makes a call that any healthy node answers quickly; one that fails or hangs makes the node unusable for a while. */
  ask<Answer>(call: () => Promise<Answer>): Promise<Answer>;
};

export type NodeHealthParts = {
  /** Asks the node anything, to see whether it answers again. */
  probe(): Promise<unknown>;
  onChange(isUsable: boolean, reason: string): void;
  /** In milliseconds; must never run back. */
  now?: () => number;
  timeoutMs?: number;
};

/**
 * Remembers whether one of several nodes answers, so that the others don't wait for it. A node that fails is asked again in the
 * background, after a pause that doubles with each failure; no caller waits for that.
 */
export function createNodeHealth(parts: NodeHealthParts): NodeHealth {
  const { probe, onChange, now = () => performance.now(), timeoutMs = PROBE_TIMEOUT_MS } = parts;
  let isFailing = false;
  let pauseMs = FIRST_PAUSE_MS;
  let failedAt = Number.NEGATIVE_INFINITY;
  let isProbing = false;

  const succeed = (): void => {
    if (isFailing) onChange(true, "");
    isFailing = false;
  };
  const fail = (error: unknown): void => {
    if (!isFailing) onChange(false, error instanceof Error ? error.message : String(error));
    // One that answers and fails in turns is asked as seldom as one that only fails.
    const isRepeated = now() - failedAt <= 2 * MAX_PAUSE_MS;
    pauseMs = isRepeated ? Math.min(MAX_PAUSE_MS, 2 * pauseMs) : FIRST_PAUSE_MS;
    isFailing = true;
    failedAt = now();
  };
  const ask: NodeHealth["ask"] = async (call) => {
    try {
      const answer = await within(timeoutMs, call());
      succeed();
      return answer;
    } catch (error) {
      fail(error);
      throw error;
    }
  };
  const probeInBackground = async (): Promise<void> => {
    isProbing = true;
    // Its failure is remembered by `ask`.
    await Promise.allSettled([ask(probe)]);
    isProbing = false;
  };

  return {
    isUsable: () => {
      if (!isFailing) return true;
      if (!isProbing && now() - failedAt >= pauseMs) void probeInBackground();
      return false;
    },
    ask,
  };
}

export async function within<Answer>(limitMs: number, answer: Promise<Answer>): Promise<Answer> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
