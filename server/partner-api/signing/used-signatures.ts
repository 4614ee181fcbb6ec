import { grouped } from "../../base/concurrency/grouped.ts";
import type { Database } from "../../db/database.ts";
import { isUniqueViolation, mayFailForOneRow } from "../../db/transaction.ts";
import { SIGNATURE_WINDOW_MS } from "./signature.ts";

/**
 * Two statements at a time: while one waits for the disk, what comes meanwhile shares the next one. With one the server itself waited for a
 * fifth of its time: 0.59 of the unsigned quotes (median of 13 runs of `bench:api`), with two 0.64 (of 15), with four 0.57 (of 5).
 */
const STATEMENTS = 2;
const AT_ONCE = 128;
const PRUNE_EVERY_MS = 60_000;
/** Beyond the window, for processes whose clocks differ. */
const MARGIN_MS = 60_000;
const KEPT_MS = SIGNATURE_WINDOW_MS + MARGIN_MS;
const TIME_BYTES = 6;
const ROW_BYTES = TIME_BYTES + 32;

/**
 * Asks for the keys once more, so that one that was switched off, changed or moved to another account takes nothing, whatever its caller
 * remembers of it. The signatures are one value of 38 bytes each, and which key made each is another of one byte each; sorted, so that two
 * statements never wait for each other's rows. Which of them are taken is only said where it is not all of them.
 */
const takeWith = (onConflict: string): string => `
  with keys as materialized (
    select n.at::int - 1 as at
    from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as n (public_key, white_list_ip, user_id, at)
    join api_keys k on k.public_key = n.public_key and k.white_list_ip = n.white_list_ip and k.user_id = n.user_id and k.is_active
  ), taken as (
    insert into used_signatures (signature)
    select substring($4::bytea from at * ${ROW_BYTES} + 1 for ${ROW_BYTES})
    from generate_series(0, octet_length($5::bytea) - 1) as at
    where get_byte($5, at) in (select at from keys) order by 1
    ${onConflict} returning signature
  ), counted as (
    select count(*) = octet_length($5) as "areAll" from taken
  )
  select "areAll", (select extract(epoch from complete_since)::float8 * 1000 from signature_log) as "completeSince",
    case when not "areAll" then array(select encode(signature, 'hex') from taken) end as taken,
    case when not "areAll" then array(select at from keys) end as keys
  from counted`;

/** Fails as a whole where one of them is taken, which is rare: it costs the database a fifth less than to look for each first. */
const TAKE_NEW = takeWith("");
const TAKE_EACH = takeWith("on conflict do nothing");

type Taken = { areAll: boolean; completeSince: number | null; taken: string[] | null; keys: number[] | null };
type Given = { signature: string; signedAt: number; key: SigningKey };

/** The key as whoever checked the signature knows it. */
type SigningKey = { publicKey: string; whiteListIp: string; userId: bigint };

/**
 * `used` is one that was taken before; with `other-key` the key is not, or no longer, as it is given. `unknown`: it may have been taken before
 * the database lost what it knew of signatures, in a crash or to a standby.
 */
export type Taking = "taken" | "used" | "other-key" | "unknown";

/** Signatures that were taken, for every process on this database. */
export type UsedSignatures = {
  /** `signedAt`: its time stamp, in milliseconds. */
  take(signature: string, signedAt: number, key: SigningKey): Promise<Taking>;
};

export function createUsedSignatures(database: Database, realNow: () => Date = () => new Date()): UsedSignatures {
  const take = grouped(
    async (given: readonly Given[]): Promise<Taking[]> => {
      const { keys, keyOf } = keysOf(given);
      const rowBytes = bytesOf(given);
      const values = [
        keys.map(({ publicKey }) => publicKey),
        keys.map(({ whiteListIp }) => whiteListIp),
        keys.map(({ userId }) => String(userId)),
        rowBytes,
        keyOf,
      ];
      const query = (name: string, text: string) => database.pool.query<Taken>({ name, text, values });
      const { rows } = await query("take_new_signatures", TAKE_NEW).catch((error: unknown) => {
        if (isUniqueViolation(error)) return query("take_signatures", TAKE_EACH);
        throw error;
      });
      const completeSince = rows[0]?.completeSince ?? null;
      if (completeSince === null) await beginLog();
      const isKnown = ({ signedAt }: Given) => completeSince !== null && signedAt > completeSince + KEPT_MS;
      if (rows[0]?.areAll) return given.map((one) => (isKnown(one) ? "taken" : "unknown"));
      const [taken, valid] = [new Set(rows[0]?.taken), new Set(rows[0]?.keys)];
      // Of equal ones the first is taken.
      return given.map((one, at) => {
        if (!valid.has(keyOf[at] ?? -1)) return "other-key";
        if (!taken.delete(rowBytes.toString("hex", at * ROW_BYTES, (at + 1) * ROW_BYTES))) return "used";
        return isKnown(one) ? "taken" : "unknown";
      });
    },
    { size: AT_ONCE, runs: STATEMENTS, gathers: true, mayFailForOne: mayFailForOneRow },
  );
  const beginLog = async (): Promise<void> => {
    const { rowCount } = await database.pool.query(
      "insert into signature_log (complete_since) values (now()) on conflict do nothing",
    );
    if (rowCount === 1)
      database.log.warn(`the database was recovered: signed calls are taken again in ${KEPT_MS / 1000} s`);
  };
  // A crash ends every connection: the next one notices it, before anybody signs a call.
  database.pool.on("connect", () => {
    beginLog().catch((error: unknown) => database.log.warn({ err: error }, "the log of signatures could not be begun"));
  });
  let prunedAt = realNow().getTime();
  const pruneNow = async (now: Date): Promise<void> => {
    const oldest = Buffer.alloc(TIME_BYTES);
    oldest.writeUIntBE(now.getTime() - KEPT_MS, 0, TIME_BYTES);
    await database.kysely.deleteFrom("used_signatures").where("signature", "<", oldest).execute();
  };
  return {
    take(signature, signedAt, key) {
      const now = realNow();
      if (now.getTime() - prunedAt >= PRUNE_EVERY_MS) {
        prunedAt = now.getTime();
        pruneNow(now).catch((error: unknown) =>
          database.log.warn({ err: error }, "used signatures could not be deleted"),
        );
      }
      return take({ signature, signedAt, key });
    },
  };
}

function bytesOf(given: readonly Given[]): Buffer {
  const bytes = Buffer.alloc(given.length * ROW_BYTES);
  given.forEach(({ signature, signedAt }, n) => {
    bytes.writeUIntBE(signedAt, n * ROW_BYTES, TIME_BYTES);
    bytes.write(signature, n * ROW_BYTES + TIME_BYTES, "base64");
  });
  return bytes;
}

/** The keys, and by which of them each signature is: a byte is enough, as no statement has more signatures. */
function keysOf(given: readonly Given[]): { keys: SigningKey[]; keyOf: Buffer } {
  // By identity: whoever signs much is remembered, and a key that is here twice is only asked for twice.
  const keys = new Map<SigningKey, number>();
  const keyOf = Buffer.alloc(given.length);
  given.forEach(({ key }, n) => {
    const at = keys.get(key) ?? keys.size;
    keys.set(key, at);
    keyOf[n] = at;
  });
  return { keys: [...keys.keys()], keyOf };
}
