import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { AccountRows } from "../../db/account-rows.ts";
import type { Schema } from "../../db/schema.ts";
import { enqueueAccountMail, type AccountTopic } from "../../notifications/index.ts";
import { settingsTables, tablesWith } from "../account-tables.ts";
import type { User } from "../users.ts";

/**
 * Somebody has proved by a mailed code alone that they read the account's mail. The first time, all that was set in it goes: by whoever
 * registered the address, who may be somebody else. The caller holds the user's lock, and that of `lockWithdrawalsInReview`, and ends the
 * sessions and sets the password.
 */
export async function recordMailboxProof(
  transaction: Transaction<Schema>,
  areas: readonly AccountRows[],
  { id, email, emailConfirmedAt, telegramId, hasSecondFactor, permissions }: User,
  at: Date,
): Promise<void> {
  if (emailConfirmedAt !== null || email === null) return;
  const hasSettings = await hasRows(transaction, settingsTables(areas), id);
  for (const table of tablesWith(areas, "proved", "delete"))
    await sql`delete from ${sql.table(table)} where user_id = ${id}`.execute(transaction);
  await transaction
    .updateTable("users")
    // An administrator has a second factor, which is gone.
    .set({ telegram_id: null, referrer_user_id: null, permissions: "USER", admin_scope: null, email_confirmed_at: at })
    .where("id", "=", id)
    .execute();
  const ended: [boolean, AccountTopic][] = [
    [telegramId !== null, "telegram_unlinked"],
    [hasSecondFactor, "second_factor_off"],
    [permissions === "ADMIN" || hasSettings, "settings_removed"],
  ];
  for (const [isEnded, topic] of ended)
    if (isEnded)
      await enqueueAccountMail(transaction, { userId: id, recipient: email, topic, sourceKey: randomUUID() });
  for (const area of areas) await area.onMailboxProved?.(transaction, id, at);
}

async function hasRows(transaction: Transaction<Schema>, tables: readonly string[], userId: bigint): Promise<boolean> {
  const selects = tables.map((table) => sql`select from ${sql.table(table)} where user_id = ${userId}`);
  const { rows } = await sql`${sql.join(selects, sql` union all `)} limit 1`.execute(transaction);
  return rows.length > 0;
}
