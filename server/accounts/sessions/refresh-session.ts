import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { addTokens, after, SESSION_DAYS, tokenHash, type Tokens } from "./tokens.ts";

/** contract §4: however often a session is used. */
const MAX_SESSION_DAYS = 180;
/** Two tabs that refresh at once get the same successor. */
const GRACE_SECONDS = 30;

/** `reused`: a refresh token was used again, and its session has been ended. */
export type Refreshed =
  | { kind: "refreshed"; tokens: Tokens; userId: bigint }
  | { kind: "unknown" }
  | { kind: "reused"; userId: bigint };

/** Replaces a session's tokens by `tokens`, which the same refresh token has to make again (contract §4). */
export async function refreshSession(
  database: Database,
  refreshToken: string,
  tokens: Tokens,
  now: Date,
): Promise<Refreshed> {
  return inTransaction(database, async (transaction): Promise<Refreshed> => {
    const found = await transaction
      .selectFrom("session_tokens as t")
      .innerJoin("sessions as s", "s.id", "t.session_id")
      .select(["s.id", "s.user_id", "s.created_at", "s.expires_at", "s.ended_at", "t.used_at", "t.token_hash"])
      .where("t.token_hash", "=", tokenHash(refreshToken))
      .where("t.kind", "=", "refresh")
      .forUpdate("s")
      .executeTakeFirst();
    if (found === undefined || found.ended_at !== null || found.expires_at <= now) return { kind: "unknown" };
    // Read again under the lock of its session: an equal call may just have used it.
    const { used_at: usedAt } = await transaction
      .selectFrom("session_tokens")
      .select("used_at")
      .where("token_hash", "=", found.token_hash)
      .executeTakeFirstOrThrow();
    if (usedAt !== null && now.getTime() - usedAt.getTime() > GRACE_SECONDS * 1000) {
      await transaction.updateTable("sessions").set({ ended_at: now }).where("id", "=", found.id).execute();
      return { kind: "reused", userId: found.user_id };
    }
    if (usedAt === null) {
      await transaction
        .updateTable("session_tokens")
        .set({ used_at: now })
        .where("token_hash", "=", found.token_hash)
        .execute();
      await addTokens(transaction, found.id, tokens, now);
      const latest = after(found.created_at, { days: MAX_SESSION_DAYS });
      const next = after(now, { days: SESSION_DAYS });
      await transaction
        .updateTable("sessions")
        .set({ last_used_at: now, expires_at: next < latest ? next : latest })
        .where("id", "=", found.id)
        .execute();
    }
    return { kind: "refreshed", tokens, userId: found.user_id };
  });
}
