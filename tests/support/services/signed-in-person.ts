import { randomUUID } from "node:crypto";
import type { SignedIn } from "../../../server/base/routes.ts";
import type { TestDatabase } from "../database/database.ts";

/** An account's person, in a session that has just been opened. */
export async function signedInPerson({ kysely }: TestDatabase, userId: bigint): Promise<SignedIn> {
  const sessionId = randomUUID();
  const at = new Date();
  const times = {
    created_at: at,
    last_used_at: at,
    authenticated_at: at,
    expires_at: new Date(at.getTime() + 3_600_000),
  };
  await kysely
    .insertInto("sessions")
    .values({ id: sessionId, user_id: userId, kind: "local", device: null, ...times })
    .execute();
  return { userId, sessionId, email: null, isFresh: true };
}
