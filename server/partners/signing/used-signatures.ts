import { grouped } from "../../base/concurrency/grouped.ts";
import type { Database } from "../../db/database.ts";
import { mayFailForOneRow } from "../../db/transaction.ts";

const AT_ONCE = 64;
const STATEMENTS = 2;
const PRUNE_EVERY_MS = 60_000;

/**
 * Asks for the key once more, so that one that was switched off, changed or moved to another account takes nothing, whatever its caller remembers of it. Sorted, so
 * that two statements never wait for each other's rows. Of equal ones the first is taken.
 */
const TAKE = `
  with given as materialized (
    select g.at, decode(g.signature, 'base64') as signature, g.expires_at
    from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[])
      with ordinality as g (signature, expires_at, public_key, white_list_ip, user_id, at)
    join api_keys k on k.public_key = g.public_key and k.white_list_ip = g.white_list_ip and k.user_id = g.user_id and k.is_active
  ), taken as (
    insert into used_signatures (signature, expires_at)
    select signature, expires_at from given order by signature
    on conflict do nothing returning signature
  )
  select min(given.at)::int - 1 as at from given join taken using (signature) group by signature`;

type Given = { signature: string; expiresAt: Date; key: SigningKey };

/** The key as whoever checked the signature knows it. */
type SigningKey = { publicKey: string; whiteListIp: string; userId: bigint };

/** Signatures that were taken, for every process on this database. */
export type UsedSignatures = {
  /**
   * False for one that was taken before, and where the key is not, or no longer, as it is given. `expiresAt`: its time stamp alone refuses it
   * from then on.
   */
  take(signature: string, expiresAt: Date, key: SigningKey): Promise<boolean>;
};

export function createUsedSignatures(database: Database, realNow: () => Date = () => new Date()): UsedSignatures {
  const take = grouped(
    async (given: readonly Given[]) => {
      const values = [
        given.map(({ signature }) => signature),
        given.map(({ expiresAt }) => expiresAt.toISOString()),
        given.map(({ key }) => key.publicKey),
        given.map(({ key }) => key.whiteListIp),
        given.map(({ key }) => String(key.userId)),
      ];
      const { rows } = await database.pool.query<{ at: number }>({ name: "take_signature", text: TAKE, values });
      const taken = new Set(rows.map(({ at }) => at));
      return given.map((_, at) => taken.has(at));
    },
    { size: AT_ONCE, runs: STATEMENTS, mayFailForOne: mayFailForOneRow },
  );

  let prunedAt = realNow().getTime();
  const pruneNow = async (now: Date): Promise<void> => {
    await database.kysely.deleteFrom("used_signatures").where("expires_at", "<", now).execute();
  };
  return {
    async take(signature, expiresAt, key) {
      const now = realNow();
      if (now.getTime() - prunedAt >= PRUNE_EVERY_MS) {
        prunedAt = now.getTime();
        pruneNow(now).catch((error: unknown) =>
          database.log.warn({ err: error }, "used signatures could not be deleted"),
        );
      }
      return take({ signature, expiresAt, key });
    },
  };
}
