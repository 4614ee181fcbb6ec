import { grouped } from "../../base/concurrency/grouped.ts";
import type { Database } from "../../db/database.ts";
import { mayFailForOneRow } from "../../db/transaction.ts";

/** One statement at a time: what comes meanwhile shares the next one, and a statement of fifty costs twice one of a single signature. */
const STATEMENTS = 1;
const AT_ONCE = 128;
const PRUNE_EVERY_MS = 60_000;

/**
 * Asks for the keys once more, so that one that was switched off, changed or moved to another account takes nothing, whatever its caller
 * remembers of it. Sorted, so that two statements never wait for each other's rows. Of equal ones the first is taken.
 */
const TAKE = `
  with keys as materialized (
    select n.at
    from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as n (public_key, white_list_ip, user_id, at)
    join api_keys k on k.public_key = n.public_key and k.white_list_ip = n.white_list_ip and k.user_id = n.user_id and k.is_active
  ), given as materialized (
    select g.at, decode(g.signature, 'base64') as signature
    from unnest($4::text[], $5::int[]) with ordinality as g (signature, key, at)
    where g.key in (select at from keys)
  ), taken as (
    insert into used_signatures (signature, expires_at)
    select signature, $6::timestamptz from given order by signature
    on conflict do nothing returning signature
  ), first as (
    select min(given.at) - 1 as at from given join taken using (signature) group by signature
  )
  select string_agg(at::text, ' ') as taken from first`;

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
      const { rows } = await database.pool.query<{ taken: string | null }>({
        name: "take_signatures",
        text: TAKE,
        values: valuesOf(given),
      });
      const taken = new Set(rows[0]?.taken?.split(" "));
      return given.map((_, at) => taken.has(String(at)));
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

/** Each key once, and which of them a signature is by. They are kept until the last of them is too old, as one of their statement. */
function valuesOf(given: readonly Given[]): unknown[] {
  const keys = new Map<string, { key: SigningKey; at: number }>();
  const keyOf = given.map(({ key }) => {
    const name = `${key.publicKey} ${key.userId} ${key.whiteListIp}`;
    const known = keys.get(name) ?? { key, at: keys.size + 1 };
    keys.set(name, known);
    return known.at;
  });
  const distinct = Array.from(keys.values(), ({ key }) => key);
  return [
    distinct.map(({ publicKey }) => publicKey),
    distinct.map(({ whiteListIp }) => whiteListIp),
    distinct.map(({ userId }) => String(userId)),
    given.map(({ signature }) => signature),
    keyOf,
    new Date(Math.max(...given.map(({ expiresAt }) => expiresAt.getTime()))).toISOString(),
  ];
}
