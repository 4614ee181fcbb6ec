import { grouped } from "../../base/concurrency/grouped.ts";
import type { Database } from "../../db/database.ts";
import { mayFailForOneRow } from "../../db/transaction.ts";

/**
 * Two statements at a time: while one waits for the disk, what comes meanwhile shares the next one. With one the server itself waited for a
 * fifth of its time: 0.59 of the unsigned quotes (median of 13 runs of `bench:api`), with two 0.64 (of 15), with four 0.57 (of 5).
 */
const STATEMENTS = 2;
const AT_ONCE = 128;
const PRUNE_EVERY_MS = 60_000;

/**
 * Asks for the keys once more, so that one that was switched off, changed or moved to another account takes nothing, whatever its caller
 * remembers of it. The signatures are one value of 32 bytes each; sorted, so that two statements never wait for each other's rows. Which of
 * them are taken is only said where it is not all of them.
 */
const TAKE = `
  with keys as materialized (
    select n.at
    from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as n (public_key, white_list_ip, user_id, at)
    join api_keys k on k.public_key = n.public_key and k.white_list_ip = n.white_list_ip and k.user_id = n.user_id and k.is_active
  ), taken as (
    insert into used_signatures (signature, expires_at)
    select substring($4::bytea from (g.at::int - 1) * 32 + 1 for 32), $6::timestamptz
    from unnest($5::int[]) with ordinality as g (key, at)
    where g.key in (select at from keys) order by 1
    on conflict do nothing returning signature
  ), counted as (
    select count(*) = cardinality($5::int[]) as "areAll" from taken
  )
  select "areAll",
    case when not "areAll" then array(select encode(signature, 'base64') from taken) end as taken,
    case when not "areAll" then array(select at::int from keys) end as keys
  from counted`;

type Taken = { areAll: boolean; taken: string[] | null; keys: number[] | null };
type Given = { signature: string; expiresAt: Date; key: SigningKey };

/** The key as whoever checked the signature knows it. */
type SigningKey = { publicKey: string; whiteListIp: string; userId: bigint };

/** `used` is one that was taken before; with `other-key` the key is not, or no longer, as it is given. */
type Taking = "taken" | "used" | "other-key";

/** Signatures that were taken, for every process on this database. */
export type UsedSignatures = {
  /** `expiresAt`: its time stamp alone refuses it from then on. */
  take(signature: string, expiresAt: Date, key: SigningKey): Promise<Taking>;
};

export function createUsedSignatures(database: Database, realNow: () => Date = () => new Date()): UsedSignatures {
  const take = grouped(
    async (given: readonly Given[]): Promise<Taking[]> => {
      const { keys, keyOf } = keysOf(given);
      const { rows } = await database.pool.query<Taken>({
        name: "take_signatures",
        text: TAKE,
        values: [
          keys.map(({ publicKey }) => publicKey),
          keys.map(({ whiteListIp }) => whiteListIp),
          keys.map(({ userId }) => String(userId)),
          Buffer.concat(given.map(({ signature }) => Buffer.from(signature, "base64"))),
          keyOf,
          // Kept until the last of them is too old.
          new Date(Math.max(...given.map(({ expiresAt }) => expiresAt.getTime()))).toISOString(),
        ],
      });
      if (rows[0]?.areAll) return given.map(() => "taken");
      const [taken, valid] = [new Set(rows[0]?.taken), new Set(rows[0]?.keys)];
      // Of equal ones the first is taken.
      return given.map(({ signature }, at) => {
        if (!valid.has(keyOf[at] ?? 0)) return "other-key";
        return taken.delete(signature) ? "taken" : "used";
      });
    },
    { size: AT_ONCE, runs: STATEMENTS, gathers: true, mayFailForOne: mayFailForOneRow },
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

/** Each key once, and by which of them each signature is, counted from 1. */
function keysOf(given: readonly Given[]): { keys: SigningKey[]; keyOf: number[] } {
  const keys = new Map<string, { key: SigningKey; at: number }>();
  const keyOf = given.map(({ key }) => {
    const name = `${key.publicKey} ${key.userId} ${key.whiteListIp}`;
    const known = keys.get(name) ?? { key, at: keys.size + 1 };
    keys.set(name, known);
    return known.at;
  });
  return { keys: Array.from(keys.values(), ({ key }) => key), keyOf };
}
