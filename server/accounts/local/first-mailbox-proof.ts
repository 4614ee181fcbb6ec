import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { enqueueAccountMail } from "../../notifications/index.ts";
import type { User } from "../users.ts";

/**
 * Somebody has proved by a mailed code alone that they read the account's mail. The first time, every other way in goes: it was set by
 * whoever registered the address, who may be somebody else. The caller holds the user's lock and ends the sessions.
 */
export async function recordMailboxProof(
  transaction: Transaction<Schema>,
  { id, email, emailConfirmedAt, telegramId, hasSecondFactor }: User,
  at: Date,
): Promise<void> {
  if (emailConfirmedAt !== null || email === null) return;
  for (const table of ["second_factors", "recovery_codes", "known_browsers", "api_keys"] as const)
    await transaction.deleteFrom(table).where("user_id", "=", id).execute();
  await transaction
    .updateTable("users")
    .set({ telegram_id: null, email_confirmed_at: at })
    .where("id", "=", id)
    .execute();
  const mail = { userId: id, recipient: email, sourceKey: randomUUID() };
  if (telegramId !== null) await enqueueAccountMail(transaction, { ...mail, topic: "telegram_unlinked" });
  if (hasSecondFactor) await enqueueAccountMail(transaction, { ...mail, topic: "second_factor_off" });
}
