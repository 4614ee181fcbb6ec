import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { foldedEmail } from "../base/folded-email.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction, transactionTime } from "../db/transaction.ts";
import { enqueueAccountMail, type AccountTopic } from "../notifications/index.ts";
import { OperatorError, readOperator, readOptions, recordAction } from "../admin/index.ts";
import { apiKeysKey } from "./api-keys-key.ts";
import type { SecretsKey } from "./secrets-key.ts";
import { secondFactorKey } from "./second-factor-key.ts";
import { findUser, findUserByEmail, storedEmail, type User } from "./users.ts";

export const ACCOUNT_HELP = `npm run admin -- account <second-factor-off|end-sessions|grant-admin|revoke-admin> <email> REASON --as NAME
npm run admin -- second-factor-key REASON --as NAME
npm run admin -- api-keys-key REASON --as NAME`;

type AccountCommandParts = {
  database: Database;
  config: Record<"secondFactorKey" | "formerSecondFactorKey" | "apiKeysKey" | "formerApiKeysKey", Buffer | null>;
};

type KeyCommand = { variable: string; subject: string; owners: string; of: SecretsKey };
const KEY_COMMANDS: Readonly<Record<"second-factor-key" | "api-keys-key", KeyCommand>> = {
  "second-factor-key": {
    variable: "SECOND_FACTOR_KEY",
    subject: "second factors",
    owners: "sign in with recovery codes",
    of: secondFactorKey,
  },
  "api-keys-key": { variable: "API_KEYS_KEY", subject: "API keys", owners: "make new keys", of: apiKeysKey },
};

/** Runs an operator's command about accounts and returns its output; null for any other command. Throws `OperatorError`. */
export async function runAccountCommand(
  parts: AccountCommandParts,
  [command = "", ...given]: readonly string[],
): Promise<string | null> {
  if (command === "second-factor-key" || command === "api-keys-key") return changeKey(parts, command, given);
  return command === "account" ? changeAccount(parts.database, given) : null;
}

async function changeKey(
  { database, config }: AccountCommandParts,
  command: "second-factor-key" | "api-keys-key",
  given: readonly string[],
): Promise<string> {
  const { words, options } = readOptions(given);
  const operator = readOperator(options, words);
  const { variable, subject, owners, of } = KEY_COMMANDS[command];
  const [key, former] =
    command === "api-keys-key"
      ? [config.apiKeysKey, config.formerApiKeysKey]
      : [config.secondFactorKey, config.formerSecondFactorKey];
  if (key === null) throw new OperatorError(`Set ${variable} to the new key: openssl rand -hex 32`);
  return inTransaction(database, async (transaction) => {
    const done = await of.change(transaction, key, former);
    await recordAction(transaction, operator, { action: command, subject, before: {}, after: done });
    return `${done.encrypted} secrets are encrypted with ${variable}. ${done.unreadable} can't be read: their owners ${owners}. Restart the web processes with this key now.`;
  });
}

type Change = {
  topic: AccountTopic;
  /** What the operator reads. */
  done: string;
  /** Returns what was there, and what is now. Throws `OperatorError` where it changes nothing or may not. */
  apply(transaction: Transaction<Schema>, user: User): Promise<{ before: object; after: object }>;
};

const CHANGES: Readonly<Record<string, Change>> = {
  "second-factor-off": {
    topic: "second_factor_off",
    done: "the second factor is off",
    async apply(transaction, user) {
      if (!user.hasSecondFactor) throw new OperatorError("This account has no second factor.");
      if (user.permissions === "ADMIN")
        throw new OperatorError("An administrator needs a second factor: account revoke-admin first.");
      await transaction.deleteFrom("second_factors").where("user_id", "=", user.id).execute();
      await transaction.deleteFrom("recovery_codes").where("user_id", "=", user.id).execute();
      return { before: { hasSecondFactor: true }, after: { hasSecondFactor: false } };
    },
  },
  "end-sessions": {
    topic: "sessions_ended",
    done: "all sessions are ended",
    async apply(transaction, user) {
      const { numUpdatedRows } = await transaction
        .updateTable("sessions")
        .set({ ended_at: await transactionTime(transaction) })
        .where("user_id", "=", user.id)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      return { before: { sessions: numUpdatedRows }, after: { sessions: 0 } };
    },
  },
  "grant-admin": {
    topic: "admin_granted",
    done: "it is an administrator's",
    async apply(transaction, user) {
      if (!user.hasSecondFactor)
        throw new OperatorError("An administrator needs a second factor: it must be on first.");
      return setPermissions(transaction, user, "ADMIN");
    },
  },
  "revoke-admin": {
    topic: "admin_revoked",
    done: "it is no administrator's any more",
    apply: (transaction, user) => setPermissions(transaction, user, "USER"),
  },
};

async function setPermissions(transaction: Transaction<Schema>, user: User, permissions: User["permissions"]) {
  if (user.permissions === permissions) throw new OperatorError(`This account's permission is ${permissions} already.`);
  await transaction.updateTable("users").set({ permissions, admin_scope: null }).where("id", "=", user.id).execute();
  return { before: { permissions: user.permissions, adminScope: user.adminScope }, after: { permissions } };
}

async function changeAccount(database: Database, given: readonly string[]): Promise<string> {
  const { words, options } = readOptions(given);
  const [action = "", email = "", ...why] = words;
  const change = Object.hasOwn(CHANGES, action) ? CHANGES[action] : undefined;
  if (change === undefined || !email.includes("@")) throw new OperatorError(ACCOUNT_HELP);
  const operator = readOperator(options, why);
  return inTransaction(database, async (transaction) => {
    const user = await lockedByEmail(transaction, email);
    const { before, after } = await change.apply(transaction, user);
    // By its number: what is recorded also goes to the security log, which names no customer.
    const subject = `account ${user.id}`;
    await recordAction(transaction, operator, { action: `account ${action}`, subject, before, after });
    if (user.email !== null)
      await enqueueAccountMail(transaction, {
        userId: user.id,
        recipient: user.email,
        topic: change.topic,
        sourceKey: randomUUID(),
      });
    return `${subject}: ${change.done}`;
  });
}

/** Its row locked, as it is then. */
async function lockedByEmail(transaction: Transaction<Schema>, typed: string): Promise<User> {
  const found = await findUserByEmail(transaction, storedEmail(typed));
  if (found !== undefined) {
    await transaction.selectFrom("users").select("id").where("id", "=", found.id).forUpdate().execute();
    const user = await findUser(transaction, found.id);
    if (user?.email != null && foldedEmail(user.email) === foldedEmail(storedEmail(typed))) return user;
  }
  throw new OperatorError(`There is no account with the email ${typed}.`);
}
