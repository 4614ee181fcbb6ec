import { CodedError } from "#contract/errors.ts";
import type { Database } from "../../db/database.ts";

/** Whoever is signed in, and what orders of that account carry. */
export type Owner = { userId: bigint; email: string | null };

/**
 * Adds a guest's order to an account, once; `open` throws unless the destination address opens it. The account's email becomes the order's
 * where it has none that was confirmed. False for an order of another account, and one that can't be opened.
 */
export async function claimOrder(
  { kysely }: Pick<Database, "kysely">,
  { userId, email }: Owner,
  orderId: string,
  now: Date,
  open: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await open();
  } catch (error) {
    if (error instanceof CodedError && error.code === "ERR_NOT_FOUND_E") return false;
    throw error;
  }
  const { numUpdatedRows } = await kysely
    .updateTable("orders")
    .set({ user_id: userId })
    .where("id", "=", orderId)
    .where((is) => is.or([is("user_id", "is", null), is("user_id", "=", userId)]))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (email !== null)
    await kysely
      .updateTable("orders")
      .set({ user_email: email, email_set_at: now, is_email_confirmed: true })
      .where("id", "=", orderId)
      .where((is) => is.or([is("user_email", "is", null), is("is_email_confirmed", "=", false)]))
      .execute();
  return true;
}
