import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

/** Longer than the messenger goes on telling one thing. */
const KEPT_HOURS = 48;

export type SeenUpdates = {
  /** True the first time, for one of all the processes that ask at once. */
  claim(updateId: number): Promise<boolean>;
  /** Forgets what the messenger tells no more. */
  prune(): Promise<void>;
};

export function createSeenUpdates({ kysely }: Database): SeenUpdates {
  return {
    async claim(updateId) {
      const { numInsertedOrUpdatedRows } = await kysely
        .insertInto("bot_updates")
        .values({ update_id: BigInt(updateId) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    async prune() {
      const oldest = sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`;
      await kysely.deleteFrom("bot_updates").where("seen_at", "<", oldest).execute();
    },
  };
}
