import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { returnWithdrawalsInReview } from "../../earnings/index.ts";
import { enqueueAccountMail, type AccountTopic } from "../../notifications/index.ts";
import { tablesWith } from "../account-tables.ts";
import type { User } from "../users.ts";

/**
 * Somebody has proved by a mailed code alone that they read the account's mail. The first time, all that was set in it goes: by whoever
 * registered the address, who may be somebody else. The caller holds the user's lock, and that of `lockWithdrawalsInReview`, and ends the
 * sessions and sets the password.
 */
export async function recordMailboxProof(
  transaction: Transaction<Schema>,
  { id, email, emailConfirmedAt, telegramId, hasSecondFactor, permissions }: User,
  at: Date,
): Promise<void> {
  if (emailConfirmedAt !== null || email === null) return;
  const { rows } = await sql`
    select from api_keys where user_id = ${id} union all select from webhooks where user_id = ${id}
    union all select from verifications where user_id = ${id} union all select from monthly_payouts where user_id = ${id}
    limit 1`.execute(transaction);
  for (const table of tablesWith("proved", "delete"))
    await sql`delete from ${sql.table(table)} where user_id = ${id}`.execute(transaction);
  // The bot and the browsers that they would reach are somebody else's.
  await sql`delete from outbox where user_id = ${id} and channel <> 'mail' and state = 'pending'`.execute(transaction);
  await transaction
    .updateTable("users")
    // An administrator has a second factor, which is gone.
    .set({ telegram_id: null, referrer_user_id: null, permissions: "USER", admin_scope: null, email_confirmed_at: at })
    .where("id", "=", id)
    .execute();
  const ended: [boolean, AccountTopic][] = [
    [telegramId !== null, "telegram_unlinked"],
    [hasSecondFactor, "second_factor_off"],
    [permissions === "ADMIN" || rows.length > 0, "settings_removed"],
  ];
  for (const [isEnded, topic] of ended)
    if (isEnded)
      await enqueueAccountMail(transaction, { userId: id, recipient: email, topic, sourceKey: randomUUID() });
  await returnWithdrawalsInReview(transaction, id, at);
}
