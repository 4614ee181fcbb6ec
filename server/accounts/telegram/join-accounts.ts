import { sql, type Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { AccountRows, Join } from "../../db/account-rows.ts";
import type { Schema } from "../../db/schema.ts";
import { tablesWith } from "../account-tables.ts";
import { requireUser } from "../users.ts";

/**
 * Moves what a Telegram account has to a local one, unless it has a second factor: a launch alone doesn't open such an account. Its row
 * stays without its Telegram user: archived orders may name it. The caller holds both accounts' locks, and ends the sessions.
 */
export async function joinAccounts(
  transaction: Transaction<Schema>,
  areas: readonly AccountRows[],
  join: Join,
): Promise<void> {
  const { from, to, at } = join;
  const other = await requireUser(transaction, from);
  if (other.email !== null)
    throw new CodedError("ERR_USER_ALREADY_REGISTERED", "This Telegram user is linked to another account");
  if (other.hasSecondFactor)
    throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Turn off the second factor of the Telegram account first");
  for (const area of areas) await area.refuseJoin?.(transaction, join);
  for (const table of tablesWith(areas, "joined", "move"))
    await sql`update ${sql.table(table)} set user_id = ${to} where user_id = ${from}`.execute(transaction);
  for (const area of areas) await area.onJoined?.(transaction, join);
  for (const table of tablesWith(areas, "joined", "delete"))
    await sql`delete from ${sql.table(table)} where user_id = ${from}`.execute(transaction);
  await transaction.updateTable("users").set({ telegram_id: null, deleted_at: at }).where("id", "=", from).execute();
}
