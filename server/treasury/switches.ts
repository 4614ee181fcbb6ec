import { sql } from "kysely";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import type { KillSwitch, Switches } from "./port.ts";

const REFUND_ONLY = "refund_only";
const UNKNOWN = "the chain shows payments that no row knows (npm run admin -- unknown-payments)";
const modeSchema = z.object({ reason: z.string() });

/**
 * The kill switches of this database and its refund-only mode, cached in memory and read again by `refresh`. Paying
 * reads the database itself, because a signature can't be revoked.
 */
export function createSwitches(database: Database): Switches {
  let active: readonly KillSwitch[] = [];
  let mode: string | null = null;

  const read = (): Promise<KillSwitch[]> =>
    database.kysely.selectFrom("kill_switches").select(["action", "scope", "direction", "reason"]).execute();

  const readMode = async (): Promise<string | null> => {
    const row = await database.kysely
      .selectFrom("settings")
      .select("value")
      .where("key", "=", REFUND_ONLY)
      .executeTakeFirst();
    return row === undefined ? null : modeSchema.parse(row.value).reason;
  };

  const refresh = async () => {
    [active, mode] = await Promise.all([read(), readMode()]);
  };

  return {
    refresh,
    stopped: (action, instrument, direction) =>
      (action === "pay" ? null : mode) ?? reasonOf(active, action, instrument, direction),
    refundOnly: () => mode,
    refundOnlyNow: readMode,
    list: read,
    stoppedNow: async (action, instrument, direction) =>
      reasonOf(await read(), action, instrument, direction) ??
      (action === "pay" && (await hasUnknownPayments(database, instrument.networkTitle)) ? UNKNOWN : null),
    async stop({ action, scope, direction, reason }) {
      await sql`
        insert into kill_switches (action, scope, direction, reason, at)
        values (${action}, ${scope}, ${direction}, ${reason}, now())
        on conflict (action, scope, direction) do update set reason = excluded.reason, until_recovered = false`.execute(
        database.kysely,
      );
      await refresh();
    },
    async release({ action, scope, direction }) {
      const { numDeletedRows } = await database.kysely
        .deleteFrom("kill_switches")
        .where("action", "=", action)
        .where("scope", "=", scope)
        .where("direction", "=", direction)
        .executeTakeFirst();
      await refresh();
      return numDeletedRows > 0n;
    },
    async setRefundOnly(reason) {
      if (reason === null) await database.kysely.deleteFrom("settings").where("key", "=", REFUND_ONLY).execute();
      else
        await sql`
          insert into settings (key, value) values (${REFUND_ONLY}, jsonb_build_object('reason', ${reason}::text))
          on conflict (key) do update set value = excluded.value`.execute(database.kysely);
      await refresh();
    },
  };
}

/** Payments that the chain shows and no row knows: one of them may have paid already what would be signed now. */
async function hasUnknownPayments(database: Database, network: string): Promise<boolean> {
  const open = await database.kysely
    .selectFrom("unknown_payments")
    .select("tx_id")
    .where("network", "=", network)
    .where("decision", "is", null)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

function reasonOf(
  active: readonly KillSwitch[],
  action: KillSwitch["action"],
  instrument: { slug: string; networkTitle: string },
  direction: "from" | "to",
): string | null {
  const found = active.find(
    (one) =>
      one.action === action &&
      (one.scope === "*" || one.scope === instrument.slug || one.scope === instrument.networkTitle) &&
      (one.direction === "both" || one.direction === direction),
  );
  return found?.reason ?? null;
}
