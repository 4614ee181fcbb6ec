import type { Kysely } from "kysely";
import { sha256 } from "../../base/secrets.ts";
import type { Schema } from "../../db/schema.ts";

// contract §4
const ACCESS_MINUTES = 15;
export const SESSION_DAYS = 30;

export type Tokens = { access: string; refresh: string };

/** What is stored of a token. */
export const tokenHash = (token: string): Buffer => sha256(token);

/** The moment so much later. */
export const after = (from: Date, { minutes = 0, hours = 0, days = 0 }): Date =>
  new Date(from.getTime() + ((days * 24 + hours) * 60 + minutes) * 60_000);

/** Stores both tokens of a session for their time. */
export async function addTokens(
  db: Kysely<Schema>,
  sessionId: string,
  { access, refresh }: Tokens,
  now: Date,
): Promise<void> {
  const token = (kind: "access" | "refresh", value: string, expires_at: Date) => ({
    token_hash: tokenHash(value),
    session_id: sessionId,
    kind,
    expires_at,
  });
  await db
    .insertInto("session_tokens")
    .values([
      token("access", access, after(now, { minutes: ACCESS_MINUTES })),
      token("refresh", refresh, after(now, { days: SESSION_DAYS })),
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
