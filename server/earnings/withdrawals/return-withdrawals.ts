import type { Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { lockAccounts } from "../../treasury/index.ts";
import { OperatorError } from "../../admin/index.ts";
import { changeWithdrawal } from "./change-withdrawal.ts";
import { notifyWithdrawal } from "./notify-withdrawal.ts";

const inReview = (transaction: Transaction<Schema>, userId: bigint) =>
  transaction
    .selectFrom("withdrawals")
    .select(["id", "slug"])
    .where("user_id", "=", userId)
    .where("state", "=", "review")
    .orderBy("id")
    .execute();

/** Locks what `returnWithdrawalsInReview` will post to. Before the user's lock, as whoever withdraws does. */
export async function lockWithdrawalsInReview(transaction: Transaction<Schema>, userId: bigint): Promise<void> {
  const slugs = (await inReview(transaction, userId)).map(({ slug }) => slug);
  if (slugs.length > 0) await lockAccounts(transaction, slugs);
}

/** Gives what an account's withdrawals wait for an operator with back to its wallet: whoever asked for them may not be its person. */
export async function returnWithdrawalsInReview(
  transaction: Transaction<Schema>,
  userId: bigint,
  at: Date,
): Promise<void> {
  for (const { id } of await inReview(transaction, userId)) {
    try {
      await changeWithdrawal(transaction, id, "reject", at);
    } catch (error) {
      // It may have been paid before a restore, or was decided just now: an operator's in either case.
      if (error instanceof OperatorError) continue;
      throw error;
    }
    await notifyWithdrawal(transaction, id, "rejected");
  }
}
