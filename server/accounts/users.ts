import { sql, type Kysely, type Transaction } from "kysely";
import type { AccountData } from "#contract/accounts/account.ts";
import { CodedError } from "#contract/errors.ts";
import type { Locale } from "#contract/locale.ts";
import type { SignedIn } from "../base/routes.ts";
import type { Schema } from "../db/schema.ts";

export type User = {
  id: bigint;
  email: string | null;
  /** Null: whoever registered the address never proved that they read its mail. */
  emailConfirmedAt: Date | null;
  telegramId: bigint | null;
  locale: Locale;
  passwordHash: string | null;
  hasSecondFactor: boolean;
  permissions: "USER" | "ADMIN";
  adminScope: string[] | null;
  createdAt: Date;
};

const select = (db: Kysely<Schema>) =>
  db
    .selectFrom("users as u")
    .leftJoin("credentials as c", "c.user_id", "u.id")
    .leftJoin("second_factors as f", "f.user_id", "u.id")
    .select([
      "u.id",
      "u.email",
      "u.email_confirmed_at as emailConfirmedAt",
      "u.telegram_id as telegramId",
      "u.locale",
      "c.password_hash as passwordHash",
      sql<boolean>`f.confirmed_at is not null`.as("hasSecondFactor"),
      "u.permissions",
      "u.admin_scope as adminScope",
      "u.created_at as createdAt",
    ])
    .where("u.deleted_at", "is", null);

/** The account, unless it was deleted. */
export const findUser = (db: Kysely<Schema>, id: bigint): Promise<User | undefined> =>
  select(db).where("u.id", "=", id).executeTakeFirst();

/** The account of an email in any case of letters, unless it was deleted. */
export const findUserByEmail = (db: Kysely<Schema>, email: string): Promise<User | undefined> =>
  select(db)
    .where(sql<boolean>`folded_email(u.email) = folded_email(${email})`)
    .executeTakeFirst();

export const findUserByTelegram = (db: Kysely<Schema>, telegramId: bigint): Promise<User | undefined> =>
  select(db).where("u.telegram_id", "=", telegramId).executeTakeFirst();

/** Whose session has just been found. Throws for one that was deleted in between. */
export async function requireUser(db: Kysely<Schema>, id: bigint): Promise<User> {
  const user = await findUser(db, id);
  if (user === undefined) throw unauthorized();
  return user;
}

/**
 * The user behind a session, locked, before a change of how the account is signed in to. Whatever ends sessions holds the same lock, so
 * that no change that was on its way when a session ended is made after its end. Throws ERR_UNAUTHORIZED where the session has ended.
 */
export async function lockSignedIn(
  transaction: Transaction<Schema>,
  { userId, sessionId }: Pick<SignedIn, "userId" | "sessionId">,
): Promise<User> {
  await lockUser(transaction, userId);
  const session = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (session === undefined) throw unauthorized();
  return requireUser(transaction, userId);
}

/** The same of whoever calls by an API key: ERR_UNAUTHORIZED where that was switched off or deleted. */
export async function lockKeyOwner(
  transaction: Transaction<Schema>,
  { userId, publicKey }: { userId: bigint; publicKey: string },
): Promise<void> {
  await lockUser(transaction, userId);
  const key = await transaction
    .selectFrom("api_keys")
    .select("id")
    .where("public_key", "=", publicKey)
    .where("user_id", "=", userId)
    .where("is_active", "=", true)
    .executeTakeFirst();
  if (key === undefined) throw unauthorized();
}

/** Locks the account until the transaction ends; does nothing for an unknown id. */
export async function lockUser(transaction: Transaction<Schema>, id: bigint): Promise<void> {
  await transaction.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
}

const unauthorized = () => new CodedError("ERR_UNAUTHORIZED", "Sign in first");

/** An address as it is stored: trimmed, with a domain in lower case (contract §8). */
export function storedEmail(email: string): string {
  const trimmed = email.trim();
  const at = trimmed.lastIndexOf("@");
  return trimmed.slice(0, at) + trimmed.slice(at).toLowerCase();
}

/** What the account's owner sees of it (contract §4). */
export const accountDataOf = (user: User): AccountData => ({
  userId: Number(user.id),
  email: user.email,
  permissions: user.permissions,
  adminPermissionsScope: user.permissions === "ADMIN" ? (user.adminScope ?? []) : null,
  isEmailConfirmed: user.email !== null && user.emailConfirmedAt !== null,
  isTelegramLinked: user.telegramId !== null,
  hasSecondFactor: user.hasSecondFactor,
  createdAt: user.createdAt.toISOString(),
});
