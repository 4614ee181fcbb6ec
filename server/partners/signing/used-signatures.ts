import { grouped } from "../../base/concurrency/grouped.ts";
import type { Database } from "../../db/database.ts";
import { mayFailForOneRow } from "../../db/transaction.ts";

const AT_ONCE = 64;
const STATEMENTS = 2;
const PRUNE_EVERY_MS = 60_000;

/** Sorted, so that two statements never wait for each other's rows. */
const TAKE = `
  insert into used_signatures (signature, expires_at)
  select decode(signature, 'base64'), expires_at
  from jsonb_to_recordset($1::jsonb) as g (signature text, expires_at timestamptz) order by 1
  on conflict do nothing
  returning encode(signature, 'base64') as signature`;

/** Signatures that were taken, for every process on this database. */
export type UsedSignatures = {
  /** False for one that was taken before. `expiresAt`: its time stamp alone refuses it from then on. */
  take(signature: string, expiresAt: Date): Promise<boolean>;
};

export function createUsedSignatures(database: Database, realNow: () => Date = () => new Date()): UsedSignatures {
  const take = grouped(
    async (given: readonly { signature: string; expires_at: Date }[]) => {
      const values = [JSON.stringify(given)];
      const { rows } = await database.pool.query<{ signature: string }>({ name: "take_signature", text: TAKE, values });
      const stored = new Set(rows.map(({ signature }) => signature));
      // Of equal ones in one statement the first is taken.
      return given.map(({ signature }) => stored.delete(signature));
    },
    { size: AT_ONCE, runs: STATEMENTS, mayFailForOne: mayFailForOneRow },
  );

  let prunedAt = realNow().getTime();
  const pruneNow = async (now: Date): Promise<void> => {
    await database.kysely.deleteFrom("used_signatures").where("expires_at", "<", now).execute();
  };
  return {
    async take(signature, expires_at) {
      const now = realNow();
      if (now.getTime() - prunedAt >= PRUNE_EVERY_MS) {
        prunedAt = now.getTime();
        pruneNow(now).catch((error: unknown) =>
          database.log.warn({ err: error }, "used signatures could not be deleted"),
        );
      }
      return take({ signature, expires_at });
    },
  };
}
