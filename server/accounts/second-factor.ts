import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { CodedError } from "#contract/errors.ts";
import { normalisedCode, randomCode } from "../base/mailed-code.ts";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import type { FailedAttempts } from "./failed-attempts.ts";
import { tokenHash } from "./tokens.ts";
import type { User } from "./users.ts";

const ISSUER = "Wherry";
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
/** A clock that is half a minute off is still right. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 16;
const KEY = "second_factor_key";

export type SecondFactor = {
  /** A new secret, which counts once a code confirms it. */
  begin(user: User): Promise<{ secret: string; uri: string }>;
  /** Turns it on and returns the recovery codes. ERR_INVALID_CREDENTIALS for a wrong code. */
  confirm(user: User, code: string): Promise<string[]>;
  remove(userId: bigint): Promise<void>;
  /** Throws unless the user has none or the code is right: ERR_FORBIDDEN with `data.secondFactor` without one, ERR_INVALID_CREDENTIALS for a wrong one. */
  require(user: User, code: string | null | undefined): Promise<void>;
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
export function createSecondFactor({ database, attempts, realNow, key: given }: SecondFactorParts): SecondFactor {
  const { kysely } = database;
  const key = async () => given ?? storedKey(database);

  const totpOf = (secret: Secret, label: string) =>
    new TOTP({ issuer: ISSUER, label, secret, algorithm: "SHA1", digits: 6, period: STEP_SECONDS });

  /** The step of a right code; null for a wrong one. */
  const stepOf = (secret: Secret, code: string): bigint | null => {
    const timestamp = realNow().getTime();
    const digits = code.replace(/\s/g, "");
    const delta = /^\d{6}$/.test(digits)
      ? totpOf(secret, "").validate({ token: digits, timestamp, window: WINDOW })
      : null;
    return delta === null ? null : BigInt(Math.floor(timestamp / (STEP_SECONDS * 1000)) + delta);
  };

  const read = async (userId: bigint): Promise<Secret | null> => {
    const row = await kysely
      .selectFrom("second_factors")
      .select("secret")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row === undefined ? null : new Secret({ buffer: toArrayBuffer(open(await key(), row.secret)) });
  };

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

  const isRight = async (userId: bigint, code: string): Promise<boolean> => {
    const secret = await read(userId);
    const step = secret === null ? null : stepOf(secret, code);
    return step === null ? spendRecoveryCode(userId, code) : spendStep(userId, step);
  };

  return {
    async begin(user) {
      if (user.hasSecondFactor) throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The second factor is on already");
      const bytes = randomBytes(SECRET_BYTES);
      const secret = new Secret({ buffer: toArrayBuffer(bytes) });
      const sealed = seal(await key(), bytes);
      await kysely
        .insertInto("second_factors")
        .values({ user_id: user.id, secret: sealed })
        .onConflict((conflict) =>
          conflict.column("user_id").doUpdateSet({ secret: sealed }).where("second_factors.confirmed_at", "is", null),
        )
        .execute();
      return { secret: secret.base32, uri: totpOf(secret, user.email ?? `user ${user.id}`).toString() };
    },
    async confirm(user, code) {
      const name = `second factor ${user.id}`;
      await attempts.begin(name);
      const secret = user.hasSecondFactor ? null : await read(user.id);
      const step = secret === null ? null : stepOf(secret, code);
      if (step === null || !(await spendStep(user.id, step))) throw wrongCode();
      const codes = Array.from({ length: RECOVERY_CODES }, () => randomCode(RECOVERY_LENGTH));
      await inTransaction(database, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("second_factors")
          .set({ confirmed_at: realNow() })
          .where("user_id", "=", user.id)
          .where("confirmed_at", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw wrongCode();
        await transaction.deleteFrom("recovery_codes").where("user_id", "=", user.id).execute();
        const rows = codes.map((one) => ({ user_id: user.id, code_hash: tokenHash(one) }));
        await transaction.insertInto("recovery_codes").values(rows).execute();
      });
      await attempts.succeed(name);
      return codes.map((one) => one.replace(/(.{4})(?=.)/g, "$1-"));
    },
    async remove(userId) {
      await inTransaction(database, async (transaction) => {
        await transaction.deleteFrom("second_factors").where("user_id", "=", userId).execute();
        await transaction.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
      });
    },
    async require(user, code) {
      if (!user.hasSecondFactor) return;
      if (code == null || code === "")
        throw new CodedError("ERR_FORBIDDEN", "A code of the authenticator app is needed", {
          data: { secondFactor: true },
        });
      // Of the account, whoever tries: there are only a million codes.
      const name = `second factor ${user.id}`;
      await attempts.begin(name);
      if (!(await isRight(user.id, code))) throw wrongCode();
      await attempts.succeed(name);
    },
  };
}

const wrongCode = (): CodedError =>
  new CodedError("ERR_INVALID_CREDENTIALS", "This code is not valid", { data: { secondFactor: true } });

const IV_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Buffer, plain: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;

async function storedKey({ kysely }: Database): Promise<Buffer> {
  const { rows } = await sql<{ hex: string }>`
    insert into settings (key, value) values (${KEY}, jsonb_build_object('hex', ${randomBytes(32).toString("hex")}::text))
    on conflict (key) do update set key = excluded.key
    returning value->>'hex' as hex`.execute(kysely);
  if (rows[0] === undefined) throw new Error("the key of second factors could not be stored");
  return Buffer.from(rows[0].hex, "hex");
}
