import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";
import { enqueueAccountMail } from "../notifications/index.ts";
import { createFailedAttempts, type FailedAttempts } from "./failed-attempts.ts";
import { createMailedCodes, type MailedCodes } from "./mailed-codes.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import type { AccountParts } from "./port.ts";
import { createSecondFactor, type SecondFactor } from "./second-factor.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import type { User } from "./users.ts";

/** What the calls about accounts are made of. */
export type AccountTools = {
  attempts: FailedAttempts;
  passwords: Passwords;
  mailedCodes: MailedCodes;
  sessions: Sessions;
  secondFactor: SecondFactor;
  /** Stores a new password and the mail about it, in the transaction of whatever allows it. */
  setPassword(db: Kysely<Schema>, user: User, passwordHash: string): Promise<void>;
};

export function createAccountTools({ database, clock, realNow, secondFactorKey }: AccountParts): AccountTools {
  const attempts = createFailedAttempts(database, clock);
  return {
    attempts,
    passwords: createPasswords(),
    mailedCodes: createMailedCodes(database),
    sessions: createSessions(database, clock),
    secondFactor: createSecondFactor({
      database,
      attempts,
      realNow: realNow ?? (() => new Date()),
      key: secondFactorKey ?? null,
    }),
    async setPassword(db, { id, email }, password_hash) {
      const row = { password_hash, changed_at: clock.now() };
      await db
        .insertInto("credentials")
        .values({ user_id: id, ...row })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
        .execute();
      if (email !== null)
        await enqueueAccountMail(db, {
          userId: id,
          recipient: email,
          topic: "password_changed",
          sourceKey: randomUUID(),
        });
    },
  };
}
