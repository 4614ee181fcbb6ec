import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { listed } from "../blacklist.ts";
import { OperatorError, recordAction } from "./audit.ts";
import { readOperator, readOptions } from "./options.ts";

export const BLACKLIST_HELP = `npm run admin -- blacklist list
npm run admin -- blacklist add <address or email> <why> --as <name>
npm run admin -- blacklist remove <address or email> <why> --as <name>`;

const MAX_LENGTH = 512;

/** Changes or lists the addresses and emails that nothing is exchanged for. Null for another command. Throws `OperatorError`. */
export async function runBlacklistCommand(database: Database, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "blacklist") return null;
  const { words, options } = readOptions(given.slice(1));
  const [action = "", text = "", ...why] = words;
  if (action === "list") return list(database);
  const value = listed(text);
  if ((action !== "add" && action !== "remove") || value === "" || value.length > MAX_LENGTH)
    throw new OperatorError(BLACKLIST_HELP);
  const by = readOperator(options, why);
  return inTransaction(database, async (transaction) => {
    const changed =
      action === "add"
        ? await transaction
            .insertInto("blacklist")
            .values({ value })
            .onConflict((conflict) => conflict.doNothing())
            .returning("value")
            .executeTakeFirst()
        : await transaction.deleteFrom("blacklist").where("value", "=", value).returning("value").executeTakeFirst();
    if (changed === undefined) throw new OperatorError(`${value} is ${action === "add" ? "already" : "not"} listed.`);
    const isListed = action === "add";
    await recordAction(transaction, by, {
      action: `blacklist ${action}`,
      subject: `blacklist ${value}`,
      before: { isListed: !isListed },
      after: { isListed },
    });
    return `${value} is ${isListed ? "listed" : "not listed any more"}`;
  });
}

async function list({ kysely }: Database): Promise<string> {
  const rows = await kysely.selectFrom("blacklist").select(["value", "created_at"]).orderBy("value").execute();
  const lines = rows.map(({ value, created_at }) => `${value} since ${created_at.toISOString()}`);
  return lines.length > 0 ? lines.join("\n") : "nothing is listed";
}
