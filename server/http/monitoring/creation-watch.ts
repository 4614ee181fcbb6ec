import type { CreationSteps } from "../../db/creation-steps.ts";
import { CommitUnknownError } from "../../db/transaction.ts";
import { isDatabaseAway } from "../errors.ts";

/** Without a further attempt a failure says nothing any more: clients don't try while the service is shown as down. */
const FORGOTTEN_AFTER_MS = 30_000;

export type CreationWatch = CreationSteps & {
  /** Whether creations hang or fail on the database for so long, and none has got through since. */
  isFailingFor(ms: number): boolean;
};

/** Notices that orders can't be created although the database answers: its connections hang, or a lock is never given back. */
export function watchCreations(now: () => number = () => performance.now()): CreationWatch {
  const pending = new Set<{ since: number }>();
  let failure: { since: number; at: number } | null = null;
  const step: CreationSteps["step"] = async (work) => {
    const attempt = { since: now() };
    pending.add(attempt);
    try {
      return await work();
    } catch (error) {
      if (isDatabaseAway(error) || error instanceof CommitUnknownError)
        failure = { since: Math.min(attempt.since, failure?.since ?? attempt.since), at: now() };
      throw error;
    } finally {
      pending.delete(attempt);
    }
  };
  return {
    step,
    last: async (work) => {
      const result = await step(work);
      failure = null;
      // What began before it and still hangs has a connection or lock of its own to blame.
      for (const other of pending) other.since = Math.max(other.since, now());
      return result;
    },
    isFailingFor: (ms) => {
      if (failure !== null && now() - failure.at > FORGOTTEN_AFTER_MS) failure = null;
      const since = Math.min(failure?.since ?? Number.POSITIVE_INFINITY, ...[...pending].map((one) => one.since));
      return now() - since >= ms;
    },
  };
}
