import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { KillSwitch, Switches } from "./port.ts";

/**
 * The kill switches of this database, kept in memory and read anew by `refresh`. Paying asks the database itself, because a
 * signature can't be taken back.
 */
export function createSwitches(database: Database): Switches {
  let thrown: readonly KillSwitch[] = [];

  const read = (): Promise<KillSwitch[]> =>
    database.kysely.selectFrom("kill_switches").select(["action", "scope", "direction", "reason"]).execute();

  const refresh = async () => {
    thrown = await read();
  };

  return {
    refresh,
    stopped: (action, instrument, direction) => reasonOf(thrown, action, instrument, direction),
    stoppedNow: async (action, instrument, direction) => reasonOf(await read(), action, instrument, direction),
    async stop({ action, scope, direction, reason }) {
      await sql`
        insert into kill_switches (action, scope, direction, reason, at)
        values (${action}, ${scope}, ${direction}, ${reason}, now())
        on conflict (action, scope, direction) do update set reason = excluded.reason`.execute(database.kysely);
      await refresh();
    },
    async release({ action, scope, direction }) {
      await database.kysely
        .deleteFrom("kill_switches")
        .where("action", "=", action)
        .where("scope", "=", scope)
        .where("direction", "=", direction)
        .execute();
      await refresh();
    },
  };
}

function reasonOf(
  thrown: readonly KillSwitch[],
  action: KillSwitch["action"],
  instrument: { slug: string; networkTitle: string },
  direction: "give" | "get",
): string | null {
  const found = thrown.find(
    (one) =>
      one.action === action &&
      (one.scope === "*" || one.scope === instrument.slug || one.scope === instrument.networkTitle) &&
      (one.direction === "both" || one.direction === direction),
  );
  return found?.reason ?? null;
}
