import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { AccountRows } from "../db/account-rows.ts";
import type { Schema } from "../db/schema.ts";
import { cancelCodes, enqueueAccountMail } from "../notifications/index.ts";
import { ownRows } from "./account-tables.ts";
import { createFailedAttempts, type FailedAttempts } from "./local/failed-attempts.ts";
import { createMailedCodes, type MailedCodes } from "./local/mailed-codes.ts";
import { createPasswords, type Passwords } from "./local/passwords.ts";
import type { AccountParts } from "./port.ts";
import { createSecondFactor, type SecondFactor } from "./second-factor.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import type { User } from "./users.ts";

/** What the calls about accounts are made of. */
export type AccountTools = {
  attempts: FailedAttempts;
  passwords: Passwords;
  mailedCodes: MailedCodes;
  sessions: Sessions;
  secondFactor: SecondFactor;
  /** What accounts and the other areas have of an account. */
  areas: readonly AccountRows[];
  /** Stores a new password and the mail about it, and ends mailed codes, in the transaction of whatever allows it, under the user's lock. */
  setPassword(db: Transaction<Schema>, user: User, passwordHash: string): Promise<void>;
};

export function createAccountTools({ database, clock, realNow, secondFactorKey, areas }: AccountParts): AccountTools {
  const attempts = createFailedAttempts(database, clock);
  return {
    attempts,
    areas: [ownRows, ...areas],
    passwords: createPasswords(),
    mailedCodes: createMailedCodes(database, attempts),
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
      await cancelCodes(db, id);
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
