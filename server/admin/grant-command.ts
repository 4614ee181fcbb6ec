import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import { OperatorError, recordAction } from "./audit.ts";
import { readOperator, readOptions } from "./options.ts";
import { ADMIN_SCOPES } from "./scopes.ts";

export const GRANT_HELP = `npm run admin -- grant <email> <${ADMIN_SCOPES.join("|")}, with commas between|none> REASON --as NAME`;

/**
 * Gives an administrator these scopes, or none. Who is an administrator at all, `account grant-admin` says, which asks for a second factor.
 * Null for another command. Throws `OperatorError`.
 */
export async function runGrantCommand(database: Database, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "grant") return null;
  const { words, options } = readOptions(given.slice(1));
  const [email = "", list = "", ...why] = words;
  const scopes = readScopes(list);
  const by = readOperator(options, why);
  await inTransaction(database, async (transaction) => {
    const user = await transaction
      .selectFrom("users")
      .select(["id", "permissions", "admin_scope"])
      .where(sql<boolean>`folded_email(email) = folded_email(${email})`)
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined) throw new OperatorError(`There is no account with the email ${email}.`);
    if (user.permissions !== "ADMIN")
      throw new OperatorError(`${email} is no administrator: account grant-admin first.`);
    await transaction
      .updateTable("users")
      .set({ admin_scope: scopes.length > 0 ? scopes : null })
      .where("id", "=", user.id)
      .execute();
    await recordAction(transaction, by, {
      action: "grant",
      subject: `user ${user.id}`,
      before: { scopes: user.admin_scope ?? [] },
      after: { scopes },
    });
  });
  return scopes.length > 0 ? `${email} may now: ${scopes.join(", ")}` : `${email} has no scope any more`;
}

function readScopes(list: string): string[] {
  if (list === "none") return [];
  const scopes = list.split(",");
  const wrong = scopes.find((scope) => !ADMIN_SCOPES.some((known) => known === scope));
  if (wrong !== undefined) throw new OperatorError(`"${wrong}" is no scope.\n${GRANT_HELP}`);
  return [...new Set(scopes)];
}
