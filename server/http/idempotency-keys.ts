import { randomHex } from "../base/secrets.ts";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { CallSeed } from "../base/routes.ts";

/** A call that has not renewed its lease for this long has crashed: the next one with its key takes over. */
const ABANDONED_AFTER = "6 seconds";
const RETENTION = "24 hours";
const SEED_BYTES = 32;

/** Both under a name, so that they are planned once for each connection: every call with a key runs them. */
const LEASE = `
  insert into idempotency_keys as stored (route, key, request_hash, status, answer, created_at)
  values ($1, $2, $3, null, jsonb_build_object('runner', $4::text, 'seed', $5::text), now())
  on conflict (route, key) do update
    set request_hash = excluded.request_hash, status = null, created_at = now(),
        answer = case when stored.status is null and stored.created_at >= now() - interval '${RETENTION}'
                      then excluded.answer || jsonb_build_object('seed', coalesce(stored.answer->'seed', excluded.answer->'seed'))
                      else excluded.answer end
    where stored.created_at < now() - interval '${RETENTION}'
       or (stored.status is null and stored.request_hash = excluded.request_hash
           and stored.created_at < now() - interval '${ABANDONED_AFTER}')
  returning answer->>'seed' as seed`;
const FINISH = `
  update idempotency_keys set status = $4, answer = $5
  where route = $1 and key = $2 and status is null and answer->>'runner' = $3`;

/** One attempt at a call; `runner` tells it from other attempts with the same key. */
export type Attempt = { route: string; key: string; hash: string; runner: string };

export type StoredCall = { hash: string; status: number | null; answer: unknown };

/** The keys of calls that move value, for every process on this database. */
export type IdempotencyKeys = {
  /**
   * The seed of the call when the caller is to run it, else null. A call that takes over from a crashed one gets the same seed,
   * and so finds what that one stored.
   */
  lease(attempt: Attempt): Promise<CallSeed | null>;
  find(attempt: Attempt): Promise<StoredCall | null>;
  /** Renews the lease of a running call. */
  renew(attempt: Attempt): Promise<void>;
  finish(attempt: Attempt, status: number, answer: unknown): Promise<void>;
  release(attempt: Attempt): Promise<void>;
  /** Deletes keys older than 24 h. */
  prune(): Promise<void>;
};

/** The row of a running call names its runner, so that a call that was taken for crashed can't change its successor's row. */
export function createIdempotencyKeys(database: Database): IdempotencyKeys {
  const { kysely, pool } = database;
  const isMine = ({ route, key, runner }: Attempt) =>
    sql<boolean>`route = ${route} and key = ${key} and status is null and answer->>'runner' = ${runner}`;

  return {
    async lease({ route, key, hash, runner }) {
      const seed = randomHex(SEED_BYTES);
      const values = [route, key, hash, runner, seed];
      const { rows } = await pool.query<{ seed: string }>({ name: "lease_key", text: LEASE, values });
      const given = rows[0]?.seed;
      return given === undefined ? null : { seed: given, isFirst: given === seed };
    },
    async find({ route, key }) {
      const row = await kysely
        .selectFrom("idempotency_keys")
        .select(["request_hash", "status", "answer"])
        .where("route", "=", route)
        .where("key", "=", key)
        .executeTakeFirst();
      if (!row) return null;
      return { hash: row.request_hash, status: row.status, answer: row.status === null ? null : row.answer?.["body"] };
    },
    async renew(attempt) {
      await sql`update idempotency_keys set created_at = now() where ${isMine(attempt)}`.execute(kysely);
    },
    async finish(attempt, status, answer) {
      const values = [attempt.route, attempt.key, attempt.runner, status, JSON.stringify({ body: answer })];
      await pool.query({ name: "finish_key", text: FINISH, values });
    },
    async release(attempt) {
      await sql`delete from idempotency_keys where ${isMine(attempt)}`.execute(kysely);
    },
    async prune() {
      await sql`delete from idempotency_keys where created_at < now() - interval ${sql.lit(RETENTION)}`.execute(kysely);
    },
  };
}
