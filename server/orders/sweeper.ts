import { claimDue, retryAfter, type WorkTable } from "../db/due-rows.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../base/log.ts";

/** Longer than any honest turn of one row; a crashed worker's rows come back after it. */
const LEASE_SECONDS = 15;
const RETRY_SECONDS = 2;
const BATCH = 50;

/**
 * One turn over the rows of a table that are due. A row whose work throws is logged and comes back soon: one bad order
 * stops no other. True when the batch was full, so that there may be more.
 */
export async function sweep(
  database: Database,
  table: WorkTable,
  work: (id: string) => Promise<unknown>,
  log: Log,
): Promise<boolean> {
  const ids = await claimDue(database, table, BATCH, LEASE_SECONDS);
  for (const id of ids) {
    try {
      await work(id);
    } catch (error) {
      log.error({ err: error, table, id }, "work on a row failed; it is tried again");
      await retryAfter(database, table, id, RETRY_SECONDS);
    }
  }
  return ids.length === BATCH;
}
