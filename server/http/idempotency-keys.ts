import { sql } from "kysely";
import { DAY_MS } from "#contract/durations.ts";
import { sha256 } from "../base/secrets.ts";
import { grouped } from "../base/concurrency/grouped.ts";
import { UNWATCHED, type CreationSteps } from "../db/creation-steps.ts";
import type { Database } from "../db/database.ts";
import { openSeedKey } from "../db/stored-keys.ts";
import { mayFailForOneRow } from "../db/transaction.ts";
import type { CallSeed } from "../base/routes.ts";

/** A call that has not renewed its lease for this long has crashed: the next one with its key takes over. */
const ABANDONED_AFTER = "6 seconds";
const RETENTION = "24 hours";
/** A key that is used again after its retention has another seed. */
const SEED_MS = DAY_MS;

/** Calls that one statement leases or finishes. */
const AT_ONCE = 64;
/** One that hangs leaves the others their connections. */
const STATEMENTS = 2;

/**
 * Neither waits for the disk. What the call itself does is committed after its lease, and makes it durable too. A result that a power cut
 * takes leaves the lease: the next call with the key runs under its seed, and finds what was stored. One that takes the lease of a call that
 * goes on changes nothing of the seed: what both store under it is unique.
 */
const LATER = "set_config('synchronous_commit', 'off', true)";
/** Both under a name, so that they are planned once for each connection: every call with a key runs them. */
const LEASE = `
  insert into idempotency_keys as stored (route, key, request_hash, status, answer, created_at)
  select route, key, hash, null, jsonb_build_object('runner', runner, 'seed', seed), now()
  from jsonb_to_recordset($1::jsonb) as g (route text, key text, hash text, runner text, seed text) order by route, key
  on conflict (route, key) do update
    set request_hash = excluded.request_hash, status = null, created_at = now(),
        answer = case when stored.status is null and stored.created_at >= now() - interval '${RETENTION}'
                      then excluded.answer || jsonb_build_object('seed', coalesce(stored.answer->'seed', excluded.answer->'seed'), 'again', true)
                      else excluded.answer || jsonb_build_object('seed', (excluded.answer->>'seed') || ' later') end
    where stored.created_at < now() - interval '${RETENTION}'
       or (stored.status is null and stored.request_hash = excluded.request_hash
           and stored.created_at < now() - interval '${ABANDONED_AFTER}')
  returning answer->>'runner' as runner, answer->>'seed' as seed, answer->'again' is null as "isFirst", ${LATER}`;
/** An upsert, because it goes by the unique index whatever the plan was made on; a key that was deleted meanwhile is written anew. */
const FINISH = `
  insert into idempotency_keys as stored (route, key, request_hash, status, answer, created_at)
  select route, key, hash, status, jsonb_build_object('runner', runner, 'body', body), now()
  from jsonb_to_recordset($1::jsonb) as g (route text, key text, hash text, runner text, status int, body jsonb) order by route, key
  on conflict (route, key) do update set status = excluded.status, answer = excluded.answer - 'runner'
    where stored.status is null and stored.answer->>'runner' = excluded.answer->>'runner'
  returning ${LATER}`;

/** One attempt at a call; `runner` tells it from other attempts with the same key. */
export type Attempt = { route: string; key: string; hash: string; runner: string };

type StoredCall = { hash: string; status: number | null; answer: unknown };

/** The keys of calls that move value, for every process on this database. */
export type IdempotencyKeys = {
  /**
   * The seed of the call when the caller is to run it, else null. It follows from the key, the body and the day: a call that takes over from a
   * crashed one has the same, and so finds what that one stored, and so has one whose lease a power cut took.
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
export function createIdempotencyKeys(
  database: Database,
  creations: Pick<CreationSteps, "step"> = UNWATCHED,
): IdempotencyKeys {
  const { kysely, pool } = database;
  const isMine = ({ route, key, runner }: Attempt) =>
    sql<boolean>`route = ${route} and key = ${key} and status is null and answer->>'runner' = ${runner}`;

  const limits = { size: AT_ONCE, runs: STATEMENTS, gathers: true, mayFailForOne: mayFailForOneRow };
  const lease = grouped(async (leases: readonly (Attempt & { seed: string })[]) => {
    const values = [JSON.stringify(leases)];
    const { rows } = await pool.query<{ runner: string } & CallSeed>({ name: "lease_key", text: LEASE, values });
    const seeds = new Map(rows.map(({ runner, seed, isFirst }) => [runner, { seed, isFirst }]));
    return leases.map(({ runner }) => seeds.get(runner) ?? null);
  }, limits);
  const finish = grouped(async (ends: readonly (Attempt & { status: number; body: unknown })[]) => {
    await pool.query({ name: "finish_key", text: FINISH, values: [JSON.stringify(ends)] });
    return ends.map(() => null);
  }, limits);

  let seedKey: Promise<string> | null = null;
  /** With a secret of the database, or whoever knows the call would know its order's id. Every call makes one: a single digest costs no more than a random one. */
  const seedOf = async ({ route, key, hash }: Attempt): Promise<string> => {
    seedKey ??= openSeedKey(database).then(
      (opened) => opened.toString("hex"),
      (error: unknown) => {
        seedKey = null;
        throw error;
      },
    );
    const day = Math.floor(Date.now() / SEED_MS);
    return sha256(JSON.stringify([await seedKey, route, key, hash, day])).toString("hex");
  };

  return {
    lease: (attempt) => creations.step(async () => lease({ ...attempt, seed: await seedOf(attempt) })),
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
      await finish({ ...attempt, status, body: answer });
    },
    async release(attempt) {
      await sql`delete from idempotency_keys where ${isMine(attempt)}`.execute(kysely);
    },
    async prune() {
      await sql`delete from idempotency_keys where created_at < now() - interval ${sql.lit(RETENTION)}`.execute(kysely);
    },
  };
}
