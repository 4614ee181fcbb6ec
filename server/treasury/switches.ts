import { sql, type Transaction } from "kysely";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { recordAction } from "./operator-audit.ts";
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
    async stop({ action, scope, direction, reason }, by) {
      await inTransaction(database, async (transaction) => {
        const before = await reasonIn(transaction, { action, scope, direction });
        await sql`
          insert into kill_switches (action, scope, direction, reason, at)
          values (${action}, ${scope}, ${direction}, ${reason}, now())
          on conflict (action, scope, direction) do update set reason = excluded.reason, until_recovered = false`.execute(
          transaction,
        );
        const subject = `${action} ${scope} ${direction}`;
        const change = { action: "stop", subject, before: { stopped: before }, after: { stopped: reason } };
        if (by !== undefined) await recordAction(transaction, by, change);
      });
      await refresh();
    },
    async release({ action, scope, direction }, by) {
      const released = await inTransaction(database, async (transaction) => {
        const before = await reasonIn(transaction, { action, scope, direction });
        const { numDeletedRows } = await transaction
          .deleteFrom("kill_switches")
          .where("action", "=", action)
          .where("scope", "=", scope)
          .where("direction", "=", direction)
          .executeTakeFirst();
        const subject = `${action} ${scope} ${direction}`;
        const change = { action: "release", subject, before: { stopped: before }, after: { stopped: null } };
        if (by !== undefined && numDeletedRows > 0n) await recordAction(transaction, by, change);
        return numDeletedRows > 0n;
      });
      await refresh();
      return released;
    },
    async setRefundOnly(reason, by) {
      await inTransaction(database, async (transaction) => {
        const row = await transaction
          .selectFrom("settings")
          .select("value")
          .where("key", "=", REFUND_ONLY)
          .executeTakeFirst();
        if (reason === null) await transaction.deleteFrom("settings").where("key", "=", REFUND_ONLY).execute();
        else
          await sql`
            insert into settings (key, value) values (${REFUND_ONLY}, jsonb_build_object('reason', ${reason}::text))
            on conflict (key) do update set value = excluded.value`.execute(transaction);
        const before = { refundOnly: row === undefined ? null : modeSchema.parse(row.value).reason };
        const change = { action: "refund-only", subject: "service", before, after: { refundOnly: reason } };
        if (by !== undefined) await recordAction(transaction, by, change);
      });
      await refresh();
    },
  };
}

/** Why that switch is set; null where it is not. Locked, so that what is recorded is what was changed. */
async function reasonIn(
  transaction: Transaction<Schema>,
  { action, scope, direction }: Omit<KillSwitch, "reason">,
): Promise<string | null> {
  const row = await transaction
    .selectFrom("kill_switches")
    .select("reason")
    .where("action", "=", action)
    .where("scope", "=", scope)
    .where("direction", "=", direction)
    .forUpdate()
    .executeTakeFirst();
  return row?.reason ?? null;
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
