import { sql, type Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { transferArchivedOrders } from "../../db/archived-orders.ts";
import type { Schema } from "../../db/schema.ts";
import { joinEarnings } from "../../earnings/index.ts";
import { tablesWith } from "../account-tables.ts";
import { requireUser } from "../users.ts";

/**
 * Moves what a Telegram account has to a local one, unless it has a second factor: a launch alone doesn't open such an account. Its row
 * stays without its Telegram user: archived orders may name it. The caller holds both accounts' locks, and ends the sessions.
 */
export async function joinAccounts(
  transaction: Transaction<Schema>,
  { from, to, at }: { from: bigint; to: bigint; at: Date },
): Promise<void> {
  const other = await requireUser(transaction, from);
  if (other.email !== null)
    throw new CodedError("ERR_USER_ALREADY_REGISTERED", "This Telegram user is linked to another account");
  if (other.hasSecondFactor)
    throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Turn off the second factor of the Telegram account first");
  await refuseSameExternalIds(transaction, from, to);
  // Orders before wallets, as a completion locks them.
  for (const table of tablesWith("joined", "move"))
    await sql`update ${sql.table(table)} set user_id = ${to} where user_id = ${from}`.execute(transaction);
  await joinEarnings(transaction, { from, to, at });
  await transferArchivedOrders(transaction, { from, to });
  // One check of one person: the account's own stands where it has any.
  await sql`
    update verifications set user_id = ${to}
    where user_id = ${from} and not exists (select from verifications where user_id = ${to})`.execute(transaction);
  await transaction.deleteFrom("verifications").where("user_id", "=", from).execute();
  await sql`
    update user_clients c set user_id = ${to}
    where user_id = ${from} and not exists (select from user_clients where user_id = ${to} and client_hash = c.client_hash)`.execute(
    transaction,
  );
  await transaction.deleteFrom("user_clients").where("user_id", "=", from).execute();
  for (const table of tablesWith("joined", "delete"))
    await sql`delete from ${sql.table(table)} where user_id = ${from}`.execute(transaction);
  await transaction.updateTable("users").set({ telegram_id: null, deleted_at: at }).where("id", "=", from).execute();
}

/** A program that looks for its order by this name must not find another one's. */
async function refuseSameExternalIds(transaction: Transaction<Schema>, from: bigint, to: bigint): Promise<void> {
  const { rows } = await sql`
    select from partner_orders a join partner_orders b on b.user_id = ${to} and b.external_id = a.external_id
    where a.user_id = ${from} limit 1`.execute(transaction);
  if (rows.length > 0)
    throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Orders of both accounts have the same externalId");
}
