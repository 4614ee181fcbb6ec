import { repeat, type Loop } from "../base/concurrency/loop.ts";
import { safeText, type Log } from "../base/logging/log.ts";
import type { SecurityEvent, SecurityLog } from "../base/logging/security-log.ts";
import type { Database } from "../db/database.ts";

/** A change of the admin CLI wakes it; this finds what was missed, and what the engine holds by itself. */
const EVERY_MS = 30_000;
const ACTIONS_AT_ONCE = 500;

/** A row that waits for an operator. */
type HeldRow = { subject: string; reason: string };

export type SecurityWatchParts = {
  database: Database;
  securityLog: SecurityLog;
  log: Log;
  /** Every row that waits for an operator. */
  listHeld(database: Database): Promise<readonly HeldRow[]>;
};

/**
 * Writes what the rows say to the security log: the recorded changes of operators, and what is held and held no more. It reads rows,
 * so that a change made by another process, or while no server ran, is written too. After a crash a line may be written twice.
 */
export function createSecurityWatch({ database, securityLog, listHeld }: SecurityWatchParts): {
  turn(): Promise<void>;
} {
  let held: ReadonlyMap<string, HeldRow> = new Map();

  const writeHolds = async () => {
    const rows = await listHeld(database);
    const found = new Map(rows.map((row) => [`${row.subject} ${row.reason}`, row]));
    for (const [key, { subject, reason }] of found)
      if (!held.has(key)) write(securityLog, { event: "hold.began", subject, reason: safeText(reason) });
    for (const [key, { subject, reason }] of held)
      if (!found.has(key)) write(securityLog, { event: "hold.ended", subject, reason: safeText(reason) });
    held = found;
  };

  return {
    async turn() {
      await writeActions(database, securityLog);
      await writeHolds();
    },
  };
}

/** The loop of one process at a time, which `holdsLease` chooses. */
export function startSecurityWatch(parts: SecurityWatchParts, holdsLease: () => Promise<boolean>): Loop {
  const watch = createSecurityWatch(parts);
  const turn = async () => {
    if (await holdsLease()) await watch.turn();
  };
  return repeat("security log", EVERY_MS, turn, parts.log);
}

/** What is not written stays for the next turn. */
function write(securityLog: SecurityLog, event: SecurityEvent): void {
  if (!securityLog.record(event)) throw new Error("the security log can't be written");
}

/** A row is deleted after its line is written: a crash between the two repeats the line. */
async function writeActions({ kysely }: Database, securityLog: SecurityLog): Promise<void> {
  for (;;) {
    const actions = await kysely
      .selectFrom("unwritten_actions")
      .innerJoin("operator_actions", "operator_actions.id", "unwritten_actions.action_id")
      .select(["id", "at", "operator", "action", "subject", "reason"])
      .orderBy("id")
      .limit(ACTIONS_AT_ONCE)
      .execute();
    if (actions.length === 0) return;
    for (const { id, at, ...action } of actions)
      write(securityLog, { event: "operator.action", id: id.toString(), at: at.toISOString(), ...action });
    const ids = actions.map(({ id }) => id);
    await kysely.deleteFrom("unwritten_actions").where("action_id", "in", ids).execute();
  }
}
