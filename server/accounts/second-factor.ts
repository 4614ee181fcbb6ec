import { randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import { Secret, TOTP } from "otpauth";
import { CodedError } from "#contract/errors.ts";
import { normalisedCode, randomCode } from "../base/mailed-code.ts";
import { seal } from "../base/sealed.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { isFailedTry, type FailedAttempts } from "./local/failed-attempts.ts";
import { decryptSecret } from "./secrets-key.ts";
import { secondFactorKey } from "./second-factor-key.ts";
import { tokenHash } from "./sessions/tokens.ts";
import type { User } from "./users.ts";

const ISSUER = "Wherry";
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
/** A clock that is half a minute off is still right. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 16;
/** Of all sessions and browsers of an account together: somebody may have opened many before it had a second factor. */
const KNOWN_FREE_FAILURES = 50;

/** More than a password: a session of the account, a browser that was signed in before, or Telegram's word. */
export type Known = `session ${string}` | `browser ${string}` | "telegram";

export type SecondFactor = {
  /** A new secret, which counts once a code confirms it. */
  begin(user: User): Promise<{ secret: string; uri: string }>;
  /** Takes a code of the new secret. ERR_INVALID_CREDENTIALS for a wrong one. */
  checkNew(user: User, code: string): Promise<void>;
  /** Turns on what `checkNew` took a code of, and returns the recovery codes. ERR_INVALID_CREDENTIALS where nothing waits. */
  turnOn(transaction: Transaction<Schema>, userId: bigint): Promise<string[]>;
  remove(transaction: Transaction<Schema>, userId: bigint): Promise<void>;
  /**
   * Throws unless the user has none or the code is right: ERR_FORBIDDEN with `data.secondFactor` without one, ERR_INVALID_CREDENTIALS for a
   * wrong one. Whoever is `Known` has tries of their own, so that nobody who has the password alone locks the owner out.
   */
  require(user: User, code: string | null | undefined, by?: Known | null): Promise<void>;
};

export type SecondFactorParts = {
  database: Database;
  attempts: FailedAttempts;
  /** What authenticator apps go by: the real time. */
  realNow: () => Date;
  /** 32 bytes; null: made once and kept in the database. */
  key: Buffer | null;
};

/** Time-based codes (RFC 6238) of an authenticator app. */
export function createSecondFactor({ database, attempts, realNow, key }: SecondFactorParts): SecondFactor {
  const { kysely } = database;

  const totpOf = (secret: Secret, label: string) =>
    new TOTP({ issuer: ISSUER, label, secret, algorithm: "SHA1", digits: 6, period: STEP_SECONDS });

  /** The step of a right code; null for a wrong one. */
  const stepOf = (secret: Secret, code: string): bigint | null => {
    const timestamp = realNow().getTime();
    const token = digitsOf(code);
    const delta = DIGITS.test(token) ? totpOf(secret, "").validate({ token, timestamp, window: WINDOW }) : null;
    return delta === null ? null : BigInt(Math.floor(timestamp / (STEP_SECONDS * 1000)) + delta);
  };

  const read = (userId: bigint): Promise<Secret | null> =>
    inTransaction(database, async (transaction) => {
      const opened = await secondFactorKey.open(transaction, key);
      const row = await transaction
        .selectFrom("second_factors")
        .select("secret")
        .where("user_id", "=", userId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const plain = decryptSecret(opened, row.secret);
      if (plain === null) throw new Error("the secret of a second factor was encrypted with a key that is lost");
      return new Secret({ buffer: toArrayBuffer(plain) });
    });

  /** Each step counts once, in every process. */
  const spendStep = async (userId: bigint, step: bigint): Promise<boolean> => {
    const { numUpdatedRows } = await kysely
      .updateTable("second_factors")
      .set({ last_step: step })
      .where("user_id", "=", userId)
      .where("last_step", "<", step)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  const spendRecoveryCode = async (userId: bigint, code: string): Promise<boolean> => {
    const { numDeletedRows } = await kysely
      .deleteFrom("recovery_codes")
      .where("user_id", "=", userId)
      .where("code_hash", "=", tokenHash(normalisedCode(code)))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  };

  /** A recovery code needs no secret: it is what is left when the secret can't be read. */
  const isRight = async (userId: bigint, code: string): Promise<boolean> => {
    if (!DIGITS.test(digitsOf(code))) return spendRecoveryCode(userId, code);
    const secret = await read(userId);
    const step = secret === null ? null : stepOf(secret, code);
    return step !== null && spendStep(userId, step);
  };

  /** Counts a failure of `judge` under each name, but not one of ours. */
  const counted = async (names: readonly string[], judge: () => Promise<void>): Promise<void> => {
    for (const [n, name] of names.entries()) await attempts.begin(name, n === 0 ? undefined : KNOWN_FREE_FAILURES);
    try {
      await judge();
    } catch (error) {
      if (!isFailedTry(error)) for (const name of names) await attempts.takeBack(name);
      throw error;
    }
    for (const name of names) await attempts.succeed(name);
  };

  return {
    async begin(user) {
      if (user.hasSecondFactor) throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The second factor is on already");
      const bytes = randomBytes(SECRET_BYTES);
      const secret = new Secret({ buffer: toArrayBuffer(bytes) });
      await inTransaction(database, async (transaction) => {
        const sealed = seal(await secondFactorKey.open(transaction, key), bytes);
        await transaction
          .insertInto("second_factors")
          .values({ user_id: user.id, secret: sealed })
          .onConflict((conflict) =>
            conflict.column("user_id").doUpdateSet({ secret: sealed }).where("second_factors.confirmed_at", "is", null),
          )
          .execute();
      });
      return { secret: secret.base32, uri: totpOf(secret, user.email ?? `user ${user.id}`).toString() };
    },
    async checkNew(user, code) {
      await counted([`second factor ${user.id}`], async () => {
        const secret = user.hasSecondFactor ? null : await read(user.id);
        const step = secret === null ? null : stepOf(secret, code);
        if (step === null || !(await spendStep(user.id, step))) throw wrongCode();
      });
    },
    async turnOn(transaction, userId) {
      const { numUpdatedRows } = await transaction
        .updateTable("second_factors")
        .set({ confirmed_at: realNow() })
        .where("user_id", "=", userId)
        .where("confirmed_at", "is", null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw wrongCode();
      const codes = Array.from({ length: RECOVERY_CODES }, () => randomCode(RECOVERY_LENGTH));
      await transaction.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
      const rows = codes.map((one) => ({ user_id: userId, code_hash: tokenHash(one) }));
      await transaction.insertInto("recovery_codes").values(rows).execute();
      return codes.map((one) => one.replace(/(.{4})(?=.)/g, "$1-"));
    },
    async remove(transaction, userId) {
      await transaction.deleteFrom("second_factors").where("user_id", "=", userId).execute();
      await transaction.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
    },
    async require(user, code, by) {
      if (!user.hasSecondFactor) return;
      if (code == null || code === "")
        throw new CodedError("ERR_FORBIDDEN", "A code of the authenticator app is needed", {
          data: { secondFactor: true },
        });
      // Of the account, whoever tries: there are only a million codes.
      const account = `second factor ${user.id}`;
      await counted(by == null ? [account] : [`${account} ${by}`, `${account} of the known`], async () => {
        if (!(await isRight(user.id, code))) throw wrongCode();
      });
    },
  };
}

const wrongCode = (): CodedError =>
  new CodedError("ERR_INVALID_CREDENTIALS", "This code is not valid", { data: { secondFactor: true } });

const DIGITS = /^\d{6}$/;
const digitsOf = (code: string): string => code.replace(/\s/g, "");
const toArrayBuffer = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;
