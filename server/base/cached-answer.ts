import type { Log } from "./logging/log.ts";

/** So many times its fresh time an answer is given while a newer one is made. */
const OLDEST = 10;

export type CachedAnswer<Answer> = {
  /** The answer as it was made at most some moments ago. Throws what `make` throws when there is none. */
  get(): Promise<Answer>;
};

export type CachedAnswerOptions = {
  /** For so long an answer is given as it is; after that the next caller gets it too, and a newer one is made behind it. */
  freshMs: number;
  log: Pick<Log, "warn">;
  /** For so long a failure is given again, and nothing is made: what it costs does not grow with the number of callers either. */
  retryMs?: number;
  /** Real time in milliseconds. */
  now?: () => number;
};

/**
 * One answer for all who ask, made by one call of `make` at a time: its cost does not grow with the number of callers. One that is ten times
 * its fresh time old is waited for instead.
 */
export function keepFresh<Answer>(
  make: () => Promise<Answer>,
  { freshMs, log, retryMs = 0, now = () => performance.now() }: CachedAnswerOptions,
): CachedAnswer<Answer> {
  let known: { answer: Answer; madeAt: number } | null = null;
  let making: Promise<Answer> | null = null;
  let failed: { error: unknown; at: number } | null = null;

  const renew = (): Promise<Answer> => {
    making ??= (async () => {
      try {
        // What changes while it is made belongs to the next one.
        const madeAt = now();
        const answer = await make();
        known = { answer, madeAt };
        failed = null;
        return answer;
      } catch (error) {
        failed = { error, at: now() };
        throw error;
      } finally {
        making = null;
      }
    })();
    return making;
  };

  return {
    async get() {
      const age = known === null ? Number.POSITIVE_INFINITY : now() - known.madeAt;
      if (known !== null && age < freshMs) return known.answer;
      if (failed !== null && making === null && now() - failed.at < retryMs) {
        if (known !== null && age < freshMs * OLDEST) return known.answer;
        throw failed.error;
      }
      const newer = renew();
      if (known === null || age >= freshMs * OLDEST) return newer;
      newer.catch((error: unknown) => log.warn({ err: error }, "an answer that is given again could not be renewed"));
      return known.answer;
    },
  };
}
