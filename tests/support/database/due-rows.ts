import type { Database } from "../../../server/db/database.ts";

/** Makes every row of these tables that waits for a time due now, so that no test waits for it. */
export async function makeDue(database: Database, ...tables: ("orders" | "payouts" | "sweeps")[]): Promise<void> {
  for (const table of tables)
    await database.kysely
      .updateTable(table)
      .set({ next_attempt_at: new Date(0) })
      .where("next_attempt_at", "is not", null)
      .execute();
}
