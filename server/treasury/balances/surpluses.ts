import { sql, type Transaction } from "kysely";
import { minOf, toMinor } from "#contract/money.ts";
import type { Schema } from "../../db/schema.ts";
import { openingEntries, suspenseEntries } from "../ledger/entries.ts";
import { post } from "../ledger/ledger.ts";

/** Coins that a hot wallet holds beyond its books; `sourceId` says when and over what they were found. */
export type Surplus = { network: string; slug: string; amount: bigint; sourceId: string; at: Date };

/** What of a surplus was announced, and whether the rest was added to one that waits for operators already. */
type BookedSurplus = { announced: bigint; isMore: boolean };

/**
 * Books a surplus: what operators have announced is ours, and the rest goes to `suspense` and is held, as one with what is held there of the
 * coin: anybody may send tiny amounts all day.
 */
export async function bookSurplus(
  transaction: Transaction<Schema>,
  { network, slug, amount, sourceId, at }: Surplus,
): Promise<BookedSurplus> {
  const announced = await takeExpected(transaction, slug, amount);
  const rest = amount - announced;
  if (announced > 0n)
    await post(transaction, { kind: "top_up", sourceId, at, entries: openingEntries(slug, announced) });
  if (rest === 0n) return { announced, isMore: false };
  const isMore = await addToOpen(transaction, { network, slug }, rest);
  if (!isMore) await transaction.insertInto("surpluses").values({ network, slug, amount: rest }).execute();
  await post(transaction, { kind: "surplus", sourceId, at, entries: suspenseEntries(slug, rest) });
  return { announced, isMore };
}

/** False where none is open that nobody has proposed to end: whoever confirms a proposal has judged its amount. */
async function addToOpen(
  transaction: Transaction<Schema>,
  { network, slug }: Pick<Surplus, "network" | "slug">,
  amount: bigint,
): Promise<boolean> {
  // Locked before proposals are read, as by whoever makes one.
  const open = await transaction
    .selectFrom("surpluses")
    .select("id")
    .where("network", "=", network)
    .where("slug", "=", slug)
    .where("ended_at", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (open.length === 0) return false;
  const proposed = await transaction
    .selectFrom("adjustments")
    .select("surplus_id")
    .where(
      "surplus_id",
      "in",
      open.map(({ id }) => id),
    )
    .where("confirmed_at", "is", null)
    .where("withdrawn_at", "is", null)
    .execute();
  const free = open.find(({ id }) => proposed.every(({ surplus_id }) => surplus_id !== id));
  if (free === undefined) return false;
  await transaction
    .updateTable("surpluses")
    .set((is) => ({ amount: is("amount", "+", amount) }))
    .where("id", "=", free.id)
    .execute();
  return true;
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
