import { sql, type Transaction } from "kysely";
import * as z from "zod";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../database.ts";
import { SKIPPED_ADDRESSES, skipDepositAddresses } from "./deposit-indexes.ts";
import type { Schema } from "../schema.ts";
import { inTransaction } from "../transaction.ts";

const KEY = "database_identity";

const identitySchema = z.object({ identity: z.string() });

/**
 * Notices that this database was restored from a backup, or moved: its cluster, its own number, or that of a table is another one. Deposit
 * addresses that were given out after the backup belong to customers who are not in it, so their indexes are skipped for ever. What
 * was paid after it stands on the chains alone, so every network is unread until its follower has caught up.
 */
export async function noticeRestore(database: Database, log: Pick<Log, "warn">): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${KEY}))`.execute(transaction);
    // The timeline of what is written now: its last checkpoint's is the old one for minutes after a promotion.
    const { rows } = await sql<{ identity: string; known: unknown }>`
      select concat_ws('/', (select system_identifier from pg_control_system()), ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
          (select oid from pg_database where datname = current_database()), 'orders'::regclass::oid) as identity,
        (select value from settings where key = ${KEY}) as known`.execute(transaction);
    const [row] = rows;
    if (row === undefined) throw new Error("the database doesn't say which one it is");
    const known = row.known === null ? null : identitySchema.parse(row.known).identity;
    if (known === row.identity) return false;
    await sql`
      insert into settings (key, value) values (${KEY}, jsonb_build_object('identity', ${row.identity}::text))
      on conflict (key) do update set value = excluded.value`.execute(transaction);
    if (known === null) return false;
    await markRestored(transaction);
    log.warn(
      { skippedAddresses: SKIPPED_ADDRESSES },
      "the database was restored or moved; later deposit addresses are skipped, and payments wait until the networks of their orders are read",
    );
    return true;
  });
}

/**
 * Skips the deposit addresses that lost rows may have, and lets payments wait until their networks are read. A refund that waits may have been stopped
 * by its owner since the backup: its wait begins anew.
 */
export async function markRestored(transaction: Transaction<Schema>): Promise<void> {
  await skipDepositAddresses(transaction);
  await transaction
    .updateTable("followed_networks")
    .set({ unread_since: sql<Date>`now()`, restored_at: sql<Date>`now()`, waits_for: null })
    .execute();
  await sql`
    update orders set restored_at = now(), next_attempt_at = now()
    where state = 'refund_requested' and snapshot ? 'heldUntil' and not snapshot ? 'isStopped'`.execute(transaction);
}
