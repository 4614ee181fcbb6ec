import { DAY_MS } from "#contract/durations.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/logging/log.ts";
import type { Database } from "../db/database.ts";
import { deleteOldDocuments } from "./store.ts";

/** Deletes what checks were made of, so many days after their decision. */
export async function deleteDocumentsAfter(
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
  days: number,
): Promise<void> {
  const now = clock.now();
  const count = await deleteOldDocuments(database.kysely, new Date(now.getTime() - days * DAY_MS), now);
  if (count > 0) log.info({ count }, "documents of decided checks were deleted");
}
