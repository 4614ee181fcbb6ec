import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueueAccountMail } from "../notifications/index.ts";
import type { AccountParts, Accounts } from "./port.ts";
import type { AccountTools } from "./tools.ts";
import { accountDataOf, requireUser } from "./users.ts";

/** In these nothing of the customer's is with us. */
const SETTLED = ["awaiting_deposit", "expired", "completed", "refunded"];

/** What a person takes along, and how an account ends (contract §8). */
export function createAccountEnd(
  parts: AccountParts,
  { sessions }: AccountTools,
): Pick<Accounts, "exportAccount" | "deleteAccount"> {
  const { database, clock } = parts;
  const { kysely } = database;
  return {
    async exportAccount({ userId, sessionId }) {
      const user = await requireUser(kysely, userId);
      const orders = await kysely
        .selectFrom("orders")
        .select([
          "id as orderId",
          "reference",
          "state",
          "rate_mode as rateMode",
          "from_slug as instrumentFrom",
          "to_slug as instrumentTo",
          "user_email as userEmail",
          "locale",
          "referrer_id as referrerId",
          "utm_data as utmData",
          sql<string>`snapshot #>> '{terms,destination,address}'`.as("destinationAddress"),
          "created_at as createdAt",
          "completed_at as completedAt",
        ])
        .where("user_id", "=", userId)
        .orderBy("created_at", "desc")
        .execute();
      return {
        exportedAt: clock.now().toISOString(),
        account: accountDataOf(user),
        telegramId: user.telegramId === null ? null : String(user.telegramId),
        locale: user.locale,
        sessions: await sessions.list(userId, sessionId),
        orders: orders.map(({ createdAt, completedAt, ...order }) => ({
          ...order,
          createdAt: createdAt.toISOString(),
          completedAt: completedAt?.toISOString() ?? null,
        })),
      };
    },
    async deleteAccount({ userId }) {
      await inTransaction(database, async (transaction) => {
        await transaction.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
        const user = await requireUser(transaction, userId);
        const open = await transaction
          .selectFrom("orders")
          .select("id")
          .where("user_id", "=", userId)
          .where("state", "not in", SETTLED)
          .limit(1)
          .executeTakeFirst();
        if (open !== undefined)
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "An order of this account is not finished yet");
        await transaction
          .updateTable("orders")
          .set({ user_id: null, user_email: null })
          .where("user_id", "=", userId)
          .execute();
        for (const table of [
          "credentials",
          "second_factors",
          "recovery_codes",
          "mailed_codes",
          "known_browsers",
          "sessions",
        ] as const)
          await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
        // The row stays without anything personal: archived orders may name it.
        await transaction
          .updateTable("users")
          .set({ email: null, telegram_id: null, referrer_id: null, deleted_at: clock.now() })
          .where("id", "=", userId)
          .execute();
        await sql`delete from outbox where user_id = ${userId}`.execute(transaction);
        if (user.email !== null)
          await enqueueAccountMail(transaction, {
            userId,
            recipient: user.email,
            topic: "account_deleted",
            sourceKey: "deleted",
          });
      });
      parts.onMail?.();
    },
  };
}
