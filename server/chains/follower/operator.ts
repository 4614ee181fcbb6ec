import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { networksWith } from "../network-traits.ts";
import { OperatorError, readOperator, readOptions, recordAction, storedNetwork } from "../../admin/index.ts";

export const RESCAN_HELP = "npm run admin -- rescan <network> REASON --as NAME";

/** Addresses that one statement makes due. */
const BATCH = 10_000;

/** Makes a look due at every deposit address of a network, and says at how many. Null for any other command. Throws `OperatorError`. */
export async function runRescanCommand(database: Database, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "rescan") return null;
  const { words, options } = readOptions(given);
  const [, title = "", ...why] = words;
  const network = storedNetwork(title);
  if (!networksWith("hasUnlistedDeposits").some((title) => title === network))
    throw new OperatorError(`${network} is no EVM network: the blocks of others show all that comes.\n${RESCAN_HELP}`);
  const known = await sql`select 1 from deposit_addresses where network = ${network} limit 1`.execute(database.kysely);
  if (known.rows.length === 0) throw new OperatorError(`${network} has no deposit addresses.\n${RESCAN_HELP}`);
  const operator = readOperator(options, why);
  await inTransaction(database, (transaction) =>
    recordAction(transaction, operator, { action: "rescan", subject: network, before: {}, after: {} }),
  );
  let due = 0;
  for (let more = true; more;) {
    const { numAffectedRows = 0n } = await sql`
      update deposit_addresses set next_look_at = now() where ctid = any(array(
        select ctid from deposit_addresses where network = ${network} and memo is null and next_look_at > now()
        limit ${BATCH}))`.execute(database.kysely);
    due += Number(numAffectedRows);
    more = numAffectedRows > 0n;
  }
  return `${due} deposit addresses of ${network} are looked at again, some with each block.`;
}
