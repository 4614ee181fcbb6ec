import { sql, type Kysely } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { CODE_MINUTES, mailedCodeHash } from "../../base/mailed-code.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { FailedAttempts } from "./failed-attempts.ts";
import { NETWORK_CLIENTS, type AccountClient } from "../port.ts";

/** One answer for a wrong, used, outdated or never sent code, of a new email too (contract §8). */
export const invalidCode = (): CodedError =>
  new CodedError("ERR_INVALID_PASSWORD_RESET_CODE", "This code is not valid (any more)");

type Purpose = Schema["mailed_codes"]["purpose"];

/** contract §8: of one code. Counted by client, so that another client's wrong codes don't end the code of its owner. */
const TRIES_OF_CLIENT = 5;

export type MailedCodes = {
  /**
   * Takes one of the client's tries of what was typed; null where it is none of the codes that are valid, or no try is left. An account that
   * is not there costs the same time.
   */
  take(userId: bigint | null, purpose: Purpose, typed: string, client: AccountClient): Promise<IssuedCode | null>;
  /** Uses the code up, in the transaction of what it allows; false where another call has, or it was ended. */
  use(db: Kysely<Schema>, userId: bigint, purpose: Purpose, hash: string): Promise<boolean>;
};

type IssuedCode = { hash: string; email: string };

/** Codes that were mailed; they are made where the mail is sent (server/notifications). */
export const createMailedCodes = ({ kysely }: Database, attempts: FailedAttempts): MailedCodes => {
  /** Those that are still valid, the newest first, if a try is left: each newer one gives everybody new tries. */
  const tryOf = async (userId: bigint, purpose: Purpose, { prefix, network }: AccountClient): Promise<IssuedCode[]> => {
    const issued = await kysely
      .selectFrom("mailed_codes")
      .select(["code_hash as hash", "email"])
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .where("created_at", ">", sql<Date>`now() - make_interval(mins => ${CODE_MINUTES})`)
      .orderBy("created_at", "desc")
      .orderBy("code_hash")
      .execute();
    const [newest] = issued;
    if (newest === undefined) return [];
    const name = `code ${newest.hash}`;
    if (!(await attempts.spend(`${name} ${prefix}`, TRIES_OF_CLIENT))) return [];
    const ofNetwork = TRIES_OF_CLIENT * NETWORK_CLIENTS;
    if (network !== null && !(await attempts.spend(`${name} ${network}`, ofNetwork))) return [];
    const { numUpdatedRows } = await kysely
      .updateTable("mailed_codes")
      .set((is) => ({ tries_left: is("tries_left", "-", 1) }))
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .where("code_hash", "=", newest.hash)
      .where("tries_left", ">", 0)
      .executeTakeFirst();
    return numUpdatedRows > 0n ? issued : [];
  };
  return {
    async take(userId, purpose, typed, client) {
      const issued = userId === null ? [] : await tryOf(userId, purpose, client);
      const hash = await mailedCodeHash(userId ?? 0n, purpose, typed);
      return issued.find((one) => one.hash === hash) ?? null;
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
  };
};
