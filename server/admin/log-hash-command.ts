import { sql } from "kysely";
import { logHash, setLogKey } from "../base/logging/log-hash.ts";
import type { Database } from "../db/database.ts";
import { openLogKey } from "../db/stored-keys.ts";
import { OperatorError } from "./audit.ts";
import { storedReference } from "./references.ts";

export const LOG_HASH_HELP = "npm run admin -- log-hash <reference or id of an order>";

/** Returns what the log holds in place of an order's id. Null for another command. Throws `OperatorError`. */
export async function runLogHashCommand(
  database: Database,
  [command, order, ...more]: readonly string[],
): Promise<string | null> {
  if (command !== "log-hash") return null;
  if (order === undefined || more.length > 0) throw new OperatorError(LOG_HASH_HELP);
  const { rows } = await sql<{ id: string }>`
    select id from orders where id = ${order} or reference = ${storedReference(order)}
    union all select id from archived_orders where id = ${order} or reference = ${storedReference(order)}`.execute(
    database.kysely,
  );
  const [found] = rows;
  if (found === undefined) throw new OperatorError(`There is no order ${order}.`);
  setLogKey(await openLogKey(database));
  return logHash(found.id);
}
