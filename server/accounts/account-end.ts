import { sql } from "kysely";
import * as z from "zod/mini";
import { type AccountExport, accountExportSchema } from "#contract/accounts/account.ts";
import { CodedError } from "#contract/errors.ts";
import { createTurns, type TurnLimits } from "../base/concurrency/turns.ts";
import type { SignedIn } from "../base/routes.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueueAccountMail } from "../notifications/index.ts";
import type { AccountParts, Accounts } from "./port.ts";
import type { AccountTools } from "./tools.ts";
import { tablesWith } from "./account-tables.ts";
import { accountDataOf, lockSignedIn, requireUser } from "./users.ts";

/** All that an account holds takes seconds where it is much: an account has one, and all together leave room for other calls. */
const EXPORT_TURNS: TurnLimits = { atATime: 2, waitMs: 10_000 };

/** What a person takes along, and how an account ends (contract §8). */
export function createAccountEnd(
  parts: AccountParts,
  { sessions, areas }: AccountTools,
  { listApiKeys }: Pick<Accounts, "listApiKeys">,
): Pick<Accounts, "exportAccount" | "deleteAccount"> {
  const { database, clock } = parts;
  const { kysely } = database;
  const inTurn = createTurns(EXPORT_TURNS);
  const exportAll = async (by: SignedIn): Promise<AccountExport> => {
    const { userId, sessionId } = by;
    const user = await requireUser(kysely, userId);
    const held: Partial<AccountExport> = {};
    for (const area of areas) Object.assign(held, await area.exportRows?.(kysely, userId));
    return z.parse(accountExportSchema, {
      exportedAt: clock.now().toISOString(),
      account: accountDataOf(user),
      telegramId: user.telegramId === null ? null : String(user.telegramId),
      locale: user.locale,
      sessions: await sessions.list(userId, sessionId),
      apiKeys: await listApiKeys(by),
      ...held,
    });
  };
  return {
    exportAccount: (by) => inTurn(`${by.userId}`, () => exportAll(by)),
    async deleteAccount(by) {
      const { userId } = by;
      await inTransaction(database, async (transaction) => {
        const user = await lockSignedIn(transaction, by);
        for (const area of areas) {
          const open = await area.whyOpen?.(transaction, userId);
          if (open == null) continue;
          const { message, data = {} } = open;
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", message, { data });
        }
        for (const area of areas) await area.onDeleted?.(transaction, userId);
        for (const table of tablesWith(areas, "deleted", "delete"))
          await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(transaction);
        // The row stays without anything personal, so that its number is nobody else's.
        await transaction
          .updateTable("users")
          .set({ email: null, telegram_id: null, referrer_user_id: null, deleted_at: clock.now() })
          .where("id", "=", userId)
          .execute();
        if (user.email !== null)
          await enqueueAccountMail(transaction, {
            userId,
            recipient: user.email,
            topic: "account_deleted",
            isProved: user.emailConfirmedAt !== null,
            sourceKey: "deleted",
          });
      });
      parts.onMail?.();
    },
  };
}
