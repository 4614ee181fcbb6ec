import { sql } from "kysely";
import { emailSchema } from "#contract/order.ts";
import { accountsWritten } from "../chains/addresses/index.ts";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import { meantBy } from "./blacklist.ts";
import { OperatorError, readOperator, readOptions, recordAction } from "../admin/index.ts";

export const BLACKLIST_HELP = `npm run admin -- blacklist list
npm run admin -- blacklist add <address or email> REASON --as NAME [--as-is]
npm run admin -- blacklist remove <address or email> REASON --as NAME`;

const MAX_LENGTH = 512;

/** Changes or lists the addresses and emails that nothing is exchanged for. Null for another command. Throws `OperatorError`. */
export async function runBlacklistCommand(database: Database, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "blacklist") return null;
  const { words, options } = readOptions(given.slice(1), ["as", "as-is"]);
  const [action = "", text = "", ...why] = words;
  if (action === "list") return list(database);
  if ((action !== "add" && action !== "remove") || text.trim() === "" || text.length > MAX_LENGTH)
    throw new OperatorError(BLACKLIST_HELP);
  const by = readOperator(options, why);
  if (action === "add" && options["as-is"] !== true && !isAddressOrEmail(text))
    throw new OperatorError(
      `${text.trim()} is no email and no address of a network that is known here: mistyped, it would stop nobody. --as-is lists it all the same.`,
    );
  return inTransaction(database, async (transaction) => {
    const meant = sql`(select mail_recipient(v) from unnest(${meantBy(text)}::text[]) v)`;
    const { rows } = await (
      action === "add"
        ? sql<{ value: string }>`insert into blacklist (value) ${meant} on conflict do nothing returning value`
        : sql<{ value: string }>`delete from blacklist where value in ${meant} returning value`
    ).execute(transaction);
    if (rows.length === 0) throw new OperatorError(`${text.trim()} is ${action === "add" ? "already" : "not"} listed.`);
    const isListed = action === "add";
    const values = rows.map(({ value }) => value).sort();
    for (const value of values) {
      await recordAction(transaction, by, {
        action: `blacklist ${action}`,
        subject: `blacklist ${value}`,
        before: { isListed: !isListed },
        after: { isListed },
      });
    }
    return values.map((value) => `${value} is ${isListed ? "listed" : "not listed any more"}`).join("\n");
  });
}

const isAddressOrEmail = (text: string): boolean =>
  text.includes("@") ? emailSchema.safeParse(text.trim()).success : accountsWritten(text.trim()).length > 0;

/** With who listed each and why; entries that came with a migration have neither. */
async function list({ kysely }: Database): Promise<string> {
  const { rows } = await sql<{ value: string; since: Date; operator: string | null; reason: string | null }>`
    select b.value, b.created_at as since, said.operator, said.reason from blacklist b
    left join lateral (
      select operator, reason from operator_actions a
      where a.subject = 'blacklist ' || b.value and a.action = 'blacklist add' order by a.id desc limit 1
    ) said on true order by b.value`.execute(kysely);
  const lines = rows.map(
    ({ value, since, operator, reason }) =>
      `${value} since ${since.toISOString()}${operator === null ? "" : ` by ${operator} (${reason})`}`,
  );
  return lines.length > 0 ? lines.join("\n") : "nothing is listed";
}
