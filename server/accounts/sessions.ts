import { createHash, createHmac } from "node:crypto";
import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import type { SignedIn } from "../base/routes.ts";
import { randomHex } from "../base/secrets.ts";

/** contract §4 */
const GOOD_FOR_HOURS = 24;
/** For this long an expired token is distinguished from an unknown one. */
const REMEMBERED_DAYS = 7;
const KEY = "session_key";

export type Sessions = {
  /** The token of the session that `occasion` opens for this user: both again are the same session. Null where that one was ended. */
  open(userId: bigint, occasion: string): Promise<string | null>;
  find(token: string): Promise<SignedIn>;
  end(token: string): Promise<void>;
  prune(): Promise<void>;
};

const unauthorized = () => new CodedError("ERR_UNAUTHORIZED", "Sign in first");

/** Sessions of bearer tokens, for every process on this database. Tokens themselves are not stored. */
export function createSessions(database: Database, clock: Clock): Sessions {
  const { kysely } = database;
  let key: Promise<Buffer> | null = null;
  const sessionKey = () => {
    // A failed read is not cached.
    key ??= storedKey(database).catch((error: unknown) => {
      key = null;
      throw error;
    });
    return key;
  };

  return {
    async open(userId, occasion) {
      const token = createHmac("sha256", await sessionKey())
        .update(`${userId} ${occasion}`)
        .digest("base64url");
      const { rows } = await sql<{ ended_at: Date | null }>`
        insert into sessions (token_hash, user_id, expires_at)
        values (${hashOf(token)}, ${userId}, ${clock.now()}::timestamptz + make_interval(hours => ${GOOD_FOR_HOURS}))
        on conflict (token_hash) do update set token_hash = excluded.token_hash
        returning ended_at`.execute(kysely);
      return rows[0]?.ended_at === null ? token : null;
    },
    async find(token) {
      const session = await kysely
        .selectFrom("sessions")
        .select(["user_id", "expires_at", "ended_at"])
        .where("token_hash", "=", hashOf(token))
        .executeTakeFirst();
      if (session === undefined || session.ended_at !== null) throw unauthorized();
      if (session.expires_at <= clock.now()) throw new CodedError("ERR_IM_A_TEAPOT", "The session has expired");
      return { userId: session.user_id };
    },
    async end(token) {
      await kysely
        .updateTable("sessions")
        .set({ ended_at: clock.now() })
        .where("token_hash", "=", hashOf(token))
        .where("ended_at", "is", null)
        .execute();
    },
    async prune() {
      await sql`delete from sessions
        where expires_at < ${clock.now()}::timestamptz - make_interval(days => ${REMEMBERED_DAYS})`.execute(kysely);
    },
  };
}

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Created by whichever process needs it first. */
async function storedKey({ kysely }: Database): Promise<Buffer> {
  const { rows } = await sql<{ hex: string }>`
    insert into settings (key, value) values (${KEY}, jsonb_build_object('hex', ${randomHex(32)}::text))
    on conflict (key) do update set key = excluded.key
    returning value->>'hex' as hex`.execute(kysely);
  if (rows[0] === undefined) throw new Error("the key of sessions could not be stored");
  return Buffer.from(rows[0].hex, "hex");
}
