import { createHmac, randomUUID } from "node:crypto";
import { sql, type Kysely } from "kysely";
import * as z from "zod";
import type { AccountSession } from "#contract/accounts/account.ts";
import { CodedError } from "#contract/errors.ts";
import type { Clock } from "../../base/clock.ts";
import type { SignedIn } from "../../base/routes.ts";
import { randomHex, randomToken } from "../../base/secrets.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { readOrMakeSetting } from "../../db/settings.ts";
import { inTransaction } from "../../db/transaction.ts";
import { refreshSession, type Refreshed } from "./refresh-session.ts";
import { addTokens, after, SESSION_DAYS, tokenHash, type Tokens } from "./tokens.ts";

/** contract §4 */
const BEARER_HOURS = 24;
/** For this long after its end a session's token is distinguished from an unknown one. */
const REMEMBERED_DAYS = 7;
/** Who it is counts as proved for so long (contract §8). */
const FRESH_MINUTES = 10;
const KEY = "session_key";
const storedSchema = z.object({ hex: z.hex() });

type NewSession = { userId: bigint; device: string | null };
type NewLaunchSession = NewSession & { telegramId: bigint; authenticatedAt: Date };
export type Sessions = {
  /**
   * The bearer token of the session that `occasion` opens for this user: both again are the same session. Null where that one was ended, or
   * the account is not this Telegram user's any more.
   */
  openByLaunch(session: NewLaunchSession, occasion: string): Promise<string | null>;
  open(session: NewSession): Promise<{ sessionId: string; tokens: Tokens }>;
  /** A bearer token of a session, for a frame in which cookies are blocked. */
  addBearer(sessionId: string): Promise<string>;
  refresh(refreshToken: string): Promise<Refreshed>;
  /** ERR_IM_A_TEAPOT for a token that was good and has expired, ERR_UNAUTHORIZED for any other that isn't good. */
  find(accessToken: string): Promise<SignedIn>;
  reauthenticated(sessionId: string): Promise<Date>;
  /** False where the user has no such session, or it has ended already. */
  end(sessionId: string, userId: bigint): Promise<boolean>;
  /** All but `except`; of one kind, where it is given. */
  endAll(db: Kysely<Schema>, userId: bigint, except?: string, kind?: "local" | "telegram"): Promise<void>;
  list(userId: bigint, currentId: string): Promise<AccountSession[]>;
  prune(): Promise<void>;
};

const unauthorized = () => new CodedError("ERR_UNAUTHORIZED", "Sign in first");

/** Sessions for every process on this database. Tokens themselves are not stored. */
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
  const derived = async (text: string) =>
    createHmac("sha256", await sessionKey())
      .update(text)
      .digest("base64url");

  return {
    async openByLaunch({ userId, telegramId, device, authenticatedAt }, occasion) {
      const token = await derived(`${userId} ${occasion}`);
      const id = uuidOf(tokenHash(`session ${token}`));
      const now = clock.now();
      const expires = after(now, { hours: BEARER_HOURS });
      const { rows } = await sql<{ ended_at: Date | null }>`
        with owner as materialized (
          select id from users where id = ${userId} and telegram_id = ${telegramId} for key share
        ), opened as (
          insert into sessions (id, user_id, kind, device, created_at, last_used_at, authenticated_at, expires_at)
          select ${id}::uuid, id, 'telegram', ${device}::text, ${now}::timestamptz, ${now}::timestamptz,
            ${authenticatedAt}::timestamptz, ${expires}::timestamptz from owner
          on conflict (id) do update set id = excluded.id
          returning id, ended_at
        ), token as (
          insert into session_tokens (token_hash, session_id, kind, expires_at)
          select ${tokenHash(token)}, id, 'access', ${expires} from opened on conflict (token_hash) do nothing
        )
        select ended_at from opened`.execute(kysely);
      return rows[0]?.ended_at === null ? token : null;
    },
    async open({ userId, device }) {
      const sessionId = randomUUID();
      const tokens = { access: randomToken(), refresh: randomToken() };
      const now = clock.now();
      const row = {
        id: sessionId,
        user_id: userId,
        kind: "local" as const,
        device,
        expires_at: after(now, { days: SESSION_DAYS }),
      };
      await inTransaction(database, async (transaction) => {
        await transaction
          .insertInto("sessions")
          .values({ ...row, created_at: now, last_used_at: now, authenticated_at: now })
          .execute();
        await addTokens(transaction, sessionId, tokens, now);
      });
      return { sessionId, tokens };
    },
    async addBearer(sessionId) {
      const token = randomToken();
      const expires_at = after(clock.now(), { hours: BEARER_HOURS });
      await kysely
        .insertInto("session_tokens")
        .values({ token_hash: tokenHash(token), session_id: sessionId, kind: "access", expires_at })
        .execute();
      return token;
    },
    async refresh(refreshToken) {
      // From the token that is presented: two tabs get the same ones, and the database alone can't make them.
      const tokens = {
        access: await derived(`access after ${refreshToken}`),
        refresh: await derived(`refresh after ${refreshToken}`),
      };
      return refreshSession(database, refreshToken, tokens, clock.now());
    },
    async find(accessToken) {
      const found = await kysely
        .selectFrom("session_tokens as t")
        .innerJoin("sessions as s", "s.id", "t.session_id")
        .innerJoin("users as u", "u.id", "s.user_id")
        .select([
          "s.id",
          "s.user_id",
          "s.ended_at",
          "s.expires_at as sessionEnd",
          "s.authenticated_at",
          "t.expires_at",
          "u.email",
        ])
        .where("t.token_hash", "=", tokenHash(accessToken))
        .where("t.kind", "=", "access")
        .executeTakeFirst();
      if (found === undefined || found.ended_at !== null) throw unauthorized();
      const now = clock.now();
      if (found.expires_at <= now || found.sessionEnd <= now)
        throw new CodedError("ERR_IM_A_TEAPOT", "The session has expired");
      return {
        userId: found.user_id,
        sessionId: found.id,
        email: found.email,
        isFresh: after(found.authenticated_at, { minutes: FRESH_MINUTES }) > now,
      };
    },
    async reauthenticated(sessionId) {
      const now = clock.now();
      await kysely.updateTable("sessions").set({ authenticated_at: now }).where("id", "=", sessionId).execute();
      return after(now, { minutes: FRESH_MINUTES });
    },
    async end(sessionId, userId) {
      const { numUpdatedRows } = await kysely
        .updateTable("sessions")
        .set({ ended_at: clock.now() })
        .where("id", "=", sessionId)
        .where("user_id", "=", userId)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async endAll(db, userId, except, kind) {
      const open = db
        .updateTable("sessions")
        .set({ ended_at: clock.now() })
        .where("user_id", "=", userId)
        .where("ended_at", "is", null);
      const others = except === undefined ? open : open.where("id", "!=", except);
      await (kind === undefined ? others : others.where("kind", "=", kind)).execute();
    },
    async list(userId, currentId) {
      const rows = await kysely
        .selectFrom("sessions")
        .select(["id", "kind", "device", "created_at", "last_used_at"])
        .where("user_id", "=", userId)
        .where("ended_at", "is", null)
        .where("expires_at", ">", clock.now())
        .orderBy("last_used_at", "desc")
        .limit(MAX_LISTED)
        .execute();
      return rows.map(({ id, kind, device, created_at, last_used_at }) => ({
        sessionId: id,
        kind: kind === "local" ? "LOCAL" : "TELEGRAM",
        device,
        isCurrent: id === currentId,
        createdAt: created_at.toISOString(),
        lastUsedAt: last_used_at.toISOString(),
      }));
    },
    async prune() {
      const now = clock.now();
      await sql`delete from sessions
        where expires_at < ${now}::timestamptz - make_interval(days => ${REMEMBERED_DAYS})`.execute(kysely);
      // For as long as the cookie that holds it, an expired token is distinguished from an unknown one.
      await sql`delete from session_tokens
        where expires_at < ${now}::timestamptz - make_interval(days => ${SESSION_DAYS})`.execute(kysely);
    },
  };
}

const MAX_LISTED = 100;

const uuidOf = (digest: Buffer): string =>
  digest.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Created by whichever process needs it first. */
async function storedKey({ kysely }: Database): Promise<Buffer> {
  const { hex } = storedSchema.parse(await readOrMakeSetting(kysely, KEY, { hex: randomHex(32) }));
  return Buffer.from(hex, "hex");
}
