import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Claim } from "./idempotency.ts";

/** A call that has given no sign of life for this long has crashed: the next one with its key takes its place. */
const ABANDONED_AFTER = sql.lit("6 seconds");
const KEPT = sql.lit("24 hours");
/** Ids are made from it. */
const SEED_BYTES = 32;

/** What a call may make its ids of. `isFirst` is false where a crashed call had the same seed, and so may have made something. */
export type CallSeed = { seed: string; isFirst: boolean };

export type KeptCall = { hash: string; status: number | null; answer: unknown };

/** The keys of calls that move value, for every process on this database. */
export type IdempotencyKeys = {
  /**
   * Gives the call's seed when the caller is the one to run it, else null. Who takes over from a crashed call gets the seed of
   * that one, and so finds what it has made.
   */
  claim(claim: Claim): Promise<CallSeed | null>;
  find(claim: Claim): Promise<KeptCall | null>;
  /** Says that the call still runs. */
  beat(claim: Claim): Promise<void>;
  finish(claim: Claim, status: number, answer: unknown): Promise<void>;
  release(claim: Claim): Promise<void>;
  /** Forgets the keys that are older than 24 h. */
  prune(): Promise<void>;
};

/** While a call runs its row holds who runs it, so that one that was taken for dead can't touch its successor's. */
export function createIdempotencyKeys(database: Database): IdempotencyKeys {
  const { kysely } = database;
  const isMine = ({ route, key, runner }: Claim) =>
    sql<boolean>`route = ${route} and key = ${key} and status is null and answer->>'runner' = ${runner}`;

  return {
    async claim({ route, key, hash, runner }) {
      const seed = randomBytes(SEED_BYTES).toString("hex");
      const { rows } = await sql<{ seed: string }>`
        insert into idempotency_keys as kept (route, key, request_hash, status, answer, created_at)
        values (${route}, ${key}, ${hash}, null, jsonb_build_object('runner', ${runner}::text, 'seed', ${seed}::text), now())
        on conflict (route, key) do update
          set request_hash = excluded.request_hash, status = null, created_at = now(),
              answer = case when kept.status is null and kept.created_at >= now() - interval ${KEPT}
                            then excluded.answer || jsonb_build_object('seed', coalesce(kept.answer->'seed', excluded.answer->'seed'))
                            else excluded.answer end
          where kept.created_at < now() - interval ${KEPT}
             or (kept.status is null and kept.request_hash = excluded.request_hash
                 and kept.created_at < now() - interval ${ABANDONED_AFTER})
        returning answer->>'seed' as seed`.execute(kysely);
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
    async beat(claim) {
      await sql`update idempotency_keys set created_at = now() where ${isMine(claim)}`.execute(kysely);
    },
    async finish(claim, status, answer) {
      const kept = JSON.stringify({ body: answer });
      await sql`update idempotency_keys set status = ${status}, answer = ${kept}::jsonb where ${isMine(claim)}`.execute(
        kysely,
      );
    },
    async release(claim) {
      await sql`delete from idempotency_keys where ${isMine(claim)}`.execute(kysely);
    },
    async prune() {
      await sql`delete from idempotency_keys where created_at < now() - interval ${KEPT}`.execute(kysely);
    },
  };
}
