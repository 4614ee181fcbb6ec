import { sql, type Kysely } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";

type Purpose = Schema["mailed_codes"]["purpose"];

export type MailedCodes = {
  /** Takes one of the code's tries; null without a code that is still valid. */
  take(userId: bigint, purpose: Purpose, validMinutes: number): Promise<{ hash: string; email: string } | null>;
  /** Uses the code up, in the transaction of what it allows; false where another call has, or a newer one was sent. */
  use(db: Kysely<Schema>, userId: bigint, purpose: Purpose, hash: string): Promise<boolean>;
};

/** Codes that were mailed; they are made where the mail is sent (server/notifications). */
export const createMailedCodes = ({ kysely }: Database): MailedCodes => ({
  async take(userId, purpose, validMinutes) {
    const row = await kysely
      .updateTable("mailed_codes")
      .set((is) => ({ tries_left: is("tries_left", "-", 1) }))
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .where("tries_left", ">", 0)
      .where("created_at", ">", sql<Date>`now() - make_interval(mins => ${validMinutes})`)
      .returning(["code_hash", "email"])
      .executeTakeFirst();
    return row === undefined ? null : { hash: row.code_hash, email: row.email };
  },
  async use(db, userId, purpose, hash) {
    const { numDeletedRows } = await db
      .deleteFrom("mailed_codes")
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .where("code_hash", "=", hash)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});
