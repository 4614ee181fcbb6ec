import { sql, type Kysely } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { FailedAttempts } from "./failed-attempts.ts";
import { NETWORK_CLIENTS, type AccountClient } from "../port.ts";

/** One answer for a wrong, used, outdated or never sent code, of a new email too (contract §8). */
export const invalidCode = (): CodedError =>
  new CodedError("ERR_INVALID_PASSWORD_RESET_CODE", "This code is not valid (any more)");

type Purpose = Schema["mailed_codes"]["purpose"];

/** contract §8: of one code. Counted by client, so that a stranger's wrong codes don't end the code of its owner. */
const TRIES_OF_CLIENT = 5;

export type MailedCodes = {
  /** Takes one of the client's tries; null without a code that is still valid, or any left. */
  take(
    userId: bigint,
    purpose: Purpose,
    validMinutes: number,
    client: AccountClient,
  ): Promise<{ hash: string; email: string } | null>;
  /** Uses the code up, in the transaction of what it allows; false where another call has, or a newer one was sent. */
  use(db: Kysely<Schema>, userId: bigint, purpose: Purpose, hash: string): Promise<boolean>;
};

/** Codes that were mailed; they are made where the mail is sent (server/notifications). */
export const createMailedCodes = ({ kysely }: Database, attempts: FailedAttempts): MailedCodes => ({
  async take(userId, purpose, validMinutes, { prefix, network }) {
    const issued = await kysely
      .selectFrom("mailed_codes")
      .select("code_hash")
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .executeTakeFirst();
    if (issued === undefined) return null;
    const name = `code ${issued.code_hash}`;
    if (!(await attempts.spend(`${name} ${prefix}`, TRIES_OF_CLIENT))) return null;
    const ofNetwork = TRIES_OF_CLIENT * NETWORK_CLIENTS;
    if (network !== null && !(await attempts.spend(`${name} ${network}`, ofNetwork))) return null;
    const row = await kysely
      .updateTable("mailed_codes")
      .set((is) => ({ tries_left: is("tries_left", "-", 1) }))
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .where("code_hash", "=", issued.code_hash)
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
