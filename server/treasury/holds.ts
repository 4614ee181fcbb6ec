import type { Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import { holdEntries, releaseEntries, settleEntries } from "./entries.ts";
import { entriesOf, post } from "./ledger.ts";
import type { LedgerAccount } from "./port.ts";

export type Hold = { sourceId: string; account: LedgerAccount; slug: string; amount: bigint; at: Date };

/** Sets a sum aside, once for a source; the database refuses more than the account has (engine law 10). */
export async function placeHold(transaction: Transaction<Schema>, hold: Hold): Promise<void> {
  const { sourceId, account, slug, amount, at } = hold;
  if (amount <= 0n) throw new RangeError("a hold needs a positive amount");
  await post(transaction, { kind: "hold", sourceId, at, entries: holdEntries(slug, amount, account) });
}

/**
 * Ends a hold, once: settled, what was set aside has left the hot wallet; released, it is back where it was. The same end again changes
 * nothing, and the other end throws: both are one kind of transfer, so that only one of them can be written.
 */
export async function endHold(
  transaction: Transaction<Schema>,
  sourceId: string,
  end: "settled" | "released",
  at: Date,
): Promise<void> {
  const held = await entriesOf(transaction, { kind: "hold", sourceId });
  const from = held?.find((entry) => entry.amount < 0n);
  if (from === undefined) throw new Error(`there is no hold of ${sourceId}`);
  const { account, slug } = from;
  const amount = -from.amount;
  const entries = end === "settled" ? settleEntries(slug, amount) : releaseEntries(slug, amount, account);
  await post(transaction, { kind: "hold_end", sourceId, at, entries });
  // Read back, because somebody else may have written the other end at the same time.
  const written = await entriesOf(transaction, { kind: "hold_end", sourceId });
  const to = written?.find((entry) => entry.amount > 0n)?.account;
  if (to !== (end === "settled" ? "hot" : account)) throw new Error(`the hold of ${sourceId} has ended otherwise`);
}
