import type { Log } from "../base/logging/log.ts";
import { openLastingSession, type LastingSession } from "./lasting-session.ts";

/** Work that one process at a time does, whichever it is. */
export type Leases = {
  /** Whether this process has the lease now; takes it when nobody has. Throws while the database can't be reached. */
  hold(name: string): Promise<boolean>;
  /** Releases every lease at once. */
  close(): Promise<void>;
};

const ASK_AGAIN_AFTER_MS = 1_000;
/** A start takes dozens at once: that is one line of the log. */
const REPORT_AFTER_MS = 1_000;

type Held = { session: LastingSession; names: Set<string>; refusedAt: Map<string, number> };

/**
 * Leases are advisory locks of one database session, so they end with the process, however it dies. A holder that stalls may believe
 * in its lease for some seconds too long: leases only spare double work, safety comes from the rows alone (engine law 1).
 */
export function openLeases(url: string, log: Log): Leases {
  let opening: Promise<Held> | null = null;
  let asking: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let taken: string[] = [];
  let reporting: NodeJS.Timeout | null = null;

  const report = (): void => {
    if (reporting !== null) clearTimeout(reporting);
    reporting = null;
    if (taken.length > 0) log.info({ leases: taken }, "this process does this work from now on");
    taken = [];
  };

  const open = async (): Promise<Held> => {
    const names = new Set<string>();
    const session = await openLastingSession(url, "wherry leases", (error) => {
      if (names.size > 0) log.warn({ err: error, leases: [...names] }, "leases are lost with their connection");
      names.clear();
      opening = null;
    });
    return { session, names, refusedAt: new Map() };
  };

  const opened = async (): Promise<Held> => {
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  };

  const ask = async (name: string): Promise<boolean> => {
    if (isClosed) return false;
    const { session, names, refusedAt } = await opened();
    if (names.has(name)) return true;
    if (performance.now() - (refusedAt.get(name) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_AFTER_MS) return false;
    const { rows } = await session.query<{ taken: boolean }>(
      "select pg_try_advisory_lock(hashtext('lease'), hashtext($1)) as taken",
      [name],
    );
    const isTaken = rows[0]?.taken === true;
    if (!isTaken) {
      refusedAt.set(name, performance.now());
      return false;
    }
    names.add(name);
    taken.push(name);
    reporting ??= setTimeout(report, REPORT_AFTER_MS).unref();
    return true;
  };

  return {
    // One at a time: a session that asks twice holds a lock twice.
    hold: (name) => {
      const asked = asking.then(() => ask(name));
      asking = Promise.allSettled([asked]);
      return asked;
    },
    async close() {
      isClosed = true;
      await asking;
      report();
      const held = await opening;
      await held?.session.end();
    },
  };
}
