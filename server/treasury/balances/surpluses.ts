import { sql, type Transaction } from "kysely";
import { minOf, toMinor } from "#contract/money.ts";
import type { Schema } from "../../db/schema.ts";
import { openingEntries, suspenseEntries } from "../ledger/entries.ts";
import { post } from "../ledger/ledger.ts";

/** Coins that a hot wallet holds beyond its books; `sourceId` says when and over what they were found. */
export type Surplus = { network: string; slug: string; amount: bigint; sourceId: string; at: Date };

/**
 * Books a surplus: what operators have announced is ours, and the rest goes to `suspense` and is held. Returns what of it was announced.
 */
export async function bookSurplus(
  transaction: Transaction<Schema>,
  { network, slug, amount, sourceId, at }: Surplus,
): Promise<bigint> {
  const announced = await takeExpected(transaction, slug, amount);
  const rest = amount - announced;
  if (announced > 0n)
    await post(transaction, { kind: "top_up", sourceId, at, entries: openingEntries(slug, announced) });
  if (rest === 0n) return announced;
  await transaction.insertInto("surpluses").values({ network, slug, amount: rest }).execute();
  await post(transaction, { kind: "surplus", sourceId, at, entries: suspenseEntries(slug, rest) });
  return announced;
}

/** Takes as much of the announced top-ups as has arrived, the oldest first. */
async function takeExpected(transaction: Transaction<Schema>, slug: string, arrived: bigint): Promise<bigint> {
  const open = await transaction
    .selectFrom("expected_top_ups")
    .select(["id", "amount"])
    .where("slug", "=", slug)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`)
    .orderBy("id")
    .forUpdate()
    .execute();
  let taken = 0n;
  for (const { id, amount } of open) {
    const part = minOf(toMinor(amount), toMinor(arrived - taken));
    if (part === 0n) break;
    const left = amount - part;
    await transaction
      .updateTable("expected_top_ups")
      .set({ amount: left, ...(left === 0n && { ended_at: sql<Date>`now()` }) })
      .where("id", "=", id)
      .execute();
    taken += part;
  }
  return taken;
}
