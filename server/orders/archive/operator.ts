import { DAY_MS } from "#contract/durations.ts";
import type { Database } from "../../db/database.ts";
import { archiveFinishedOrders } from "./archive-orders.ts";
import { inTransaction } from "../../db/transaction.ts";
import { networksWith } from "../../chains/port.ts";
import { OperatorError, type Options, readOperator, readOptions, recordAction } from "../../admin/index.ts";

export const ARCHIVE_HELP = "npm run admin -- archive <--before <date>|--older-than <days>> REASON --as NAME";

/** Younger ones may still be undone by their chain. */
const MIN_DAYS = 7;

/** Archives finished orders and returns what it did; null for any other command. Throws `OperatorError`. */
export async function runArchiveCommand(
  database: Database,
  given: readonly string[],
  now: Date = new Date(),
): Promise<string | null> {
  if (given[0] !== "archive") return null;
  const { words, options } = readOptions(given, ["as", "before", "older-than"]);
  const before = readBefore(options, now);
  const operator = readOperator(options, words.slice(1));
  const record = (action: string, after: object) =>
    inTransaction(database, (transaction) =>
      recordAction(transaction, operator, { action, subject: "finished orders", before: {}, after }),
    );
  await record("archive", { before: before.toISOString() });
  const run = await archiveFinishedOrders(database, { before, spendsDeposits: networksWith("spendsDeposits") });
  await record("archive done", run);
  return `${run.archived} orders are archived; ${run.kept} that ended before ${before.toISOString()} stay, because something of them is open or in use.`;
}

function readBefore({ before, "older-than": days }: Options, now: Date): Date {
  if ((before === undefined) === (days === undefined)) throw new OperatorError(ARCHIVE_HELP);
  const isDate = before !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(before);
  const isDays = days !== undefined && /^\d{1,5}$/.test(days);
  if (!isDate && !isDays) throw new OperatorError(ARCHIVE_HELP);
  const at = isDate ? new Date(before) : new Date(now.getTime() - Number(days) * DAY_MS);
  // A day that a month lacks would be one of the next month.
  if (Number.isNaN(at.getTime()) || (isDate && !at.toISOString().startsWith(before)))
    throw new OperatorError(`${before} is no date.`);
  if (at.getTime() > now.getTime() - MIN_DAYS * DAY_MS)
    throw new OperatorError(`Only orders that ended ${MIN_DAYS} days ago are archived.`);
  return at;
}
