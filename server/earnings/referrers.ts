import { sql, type Kysely } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { isReferrerId } from "#contract/accounts/earnings.ts";
import { clientHash } from "../base/client-hash.ts";
import { normalisedCode, randomCode } from "../base/mailed-code.ts";
import type { Schema } from "../db/schema.ts";

const LENGTH = 8;
const MAX_TRIES = 5;

/** The id that an account's link carries; made when it is first asked for. */
export async function referrerIdOf(db: Kysely<Schema>, userId: bigint, at: Date): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const known = await db
      .selectFrom("referrer_ids")
      .select("referrer_id")
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .orderBy("referrer_id")
      .executeTakeFirst();
    if (known !== undefined) return known.referrer_id;
    // Two calls at once may store two: the first is shown from then on, and both lead to the account.
    await db
      .insertInto("referrer_ids")
      .values({ referrer_id: randomCode(LENGTH), user_id: userId, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  throw new Error("no referral id is free");
}

/** The account that a referral id leads to; null for none. */
export async function findReferrer(db: Kysely<Schema>, given: string): Promise<bigint | null> {
  const referrerId = normalisedCode(given);
  if (!isReferrerId(referrerId)) return null;
  const row = await db
    .selectFrom("referrer_ids as r")
    .innerJoin("users as u", "u.id", "r.user_id")
    .select("r.user_id")
    .where("r.referrer_id", "=", referrerId)
    .where("u.deleted_at", "is", null)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** The same; ERR_NOT_FOUND that names `referrerAffiliateId`, at which the app leaves it out and repeats (contract §8, §9). */
export async function requireReferrer(db: Kysely<Schema>, given: string): Promise<bigint> {
  const found = await findReferrer(db, given);
  if (found === null) throw new CodedError("ERR_NOT_FOUND", "There is no such referrerAffiliateId");
  return found;
}

const MAX_CLIENTS = 50;

/** A digest of an address, or of an IPv6 /48. */
export const networkHash = (network: string): string => clientHash(null, network);

const PRIVATE = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./;

/** Not of this machine or a private network: those are a proxy's or a whole office's, and two who share one are not one. */
export const isOfSomebody = (network: string): boolean =>
  network.includes(":") ? /^[23]/.test(network) : !PRIVATE.test(network);

/** Remembers the browser and the address that an account is used with: those of the last times. */
export async function rememberClient(
  db: Kysely<Schema>,
  { userId, clientHash: client_hash, network, at }: { userId: bigint; clientHash: string; network: string; at: Date },
): Promise<void> {
  const network_hash = networkHash(network);
  await db
    .insertInto("user_clients")
    .values({ user_id: userId, client_hash, network_hash, seen_at: at })
    .onConflict((conflict) => conflict.columns(["user_id", "client_hash"]).doUpdateSet({ network_hash, seen_at: at }))
    .execute();
  await sql`
    delete from user_clients where user_id = ${userId} and client_hash = any(array(
      select client_hash from user_clients where user_id = ${userId} order by seen_at desc offset ${MAX_CLIENTS}))`.execute(
    db,
  );
}

/** A referral id as an order stores it. Throws as `requireReferrer`. */
export async function readOrderReferrer(db: Kysely<Schema>, given: string): Promise<string> {
  await requireReferrer(db, given);
  return normalisedCode(given);
}
