/** Limit of the calls that show whether a node answers. */
const PROBE_TIMEOUT_MS = 3_000;
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
  let failures = 0;
  let retryAt = 0;
  let isProbing = false;

  const succeed = (): void => {
    if (failures > 0) onChange(true, "");
    failures = 0;
  };
  const fail = (error: unknown): void => {
    if (failures === 0) onChange(false, error instanceof Error ? error.message : String(error));
    retryAt = now() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    failures += 1;
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
      if (failures === 0) return true;
      if (!isProbing && now() >= retryAt) void probeInBackground();
      return false;
    },
    ask,
  };
}

async function within<Answer>(limitMs: number, answer: Promise<Answer>): Promise<Answer> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
