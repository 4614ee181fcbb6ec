import type { Transaction } from "kysely";
import { confirmationsAt, readTip } from "../chains/follower/index.ts";
import { WHOLE_BPS } from "#contract/money.ts";
import { REVIEW_REASON } from "../db/review-reasons.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { partnerSurplusEntries, partnerReturnEntries } from "../treasury/ledger/entries.ts";
import { lockExchange, wakeOrder, type ExchangeRow, type LiquidityParts } from "./store.ts";

/** A return that misses more than this share, in hundredths of a percent, needs an operator's review. */
const MAX_LOSS_BPS = 1_000n;

type Arrived = { id: bigint; slug: string; amount: bigint };

/**
 * Books confirmed deposits on an exchange's refund address: the return of its funding while one is awaited, otherwise a
 * surplus for the treasury. True when something was booked.
 */
export async function bookReturn(parts: LiquidityParts, row: ExchangeRow): Promise<boolean> {
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockExchange(transaction, row.id);
      // While the partner still works on the exchange, a deposit can't be classified.
      if (locked.state === "intended" || locked.state === "opened") return false;
      const arrived = await confirmedOn(parts, transaction, locked);
      if (arrived.length === 0) return false;
      if (locked.state === "returning") await settleReturn(parts, transaction, locked, arrived);
      else for (const deposit of arrived) await bookSurplus(parts, transaction, deposit);
      return true;
    },
    parts.probe,
  );
}

/** Confirmed deposits on the refund address; a wrong asset is set aside for an operator's review. */
async function confirmedOn(
  parts: LiquidityParts,
  transaction: Transaction<Schema>,
  row: ExchangeRow,
): Promise<Arrived[]> {
  const { networkTitle, confirmations } = parts.instrumentOf(row.from_slug);
  const tip = await readTip(transaction, networkTitle);
  const rows = await transaction
    .selectFrom("deposits")
    .select(["id", "slug", "amount", "block_height"])
    .where("exchange_id", "=", row.id)
    .where("credited_at", "is", null)
    .where("review_reason", "is", null)
    .where("block_height", "is not", null)
    .execute();
  for (const { id, slug } of rows) {
    if (slug === row.from_slug) continue;
    parts.log.error({ orderId: row.order_id, slug }, "a partner returned a wrong asset; the deposit needs review");
    const review = { review_reason: REVIEW_REASON.wrongAsset };
    await transaction.updateTable("deposits").set(review).where("id", "=", id).execute();
  }
  return rows.filter(
    ({ slug, block_height }) =>
      slug === row.from_slug && block_height !== null && confirmationsAt(tip, block_height) >= confirmations,
  );
}

async function settleReturn(
  parts: LiquidityParts,
  transaction: Transaction<Schema>,
  row: ExchangeRow,
  arrived: Arrived[],
): Promise<void> {
  const returned = arrived.reduce((sum, { amount }) => sum + amount, 0n);
  for (const { id } of arrived) await credit(parts, transaction, id);
  const isShort = returned * WHOLE_BPS < row.amount * (WHOLE_BPS - MAX_LOSS_BPS);
  await transaction
    .updateTable("partner_exchanges")
    .set({
      state: isShort ? "review" : "returned",
      returned,
      next_attempt_at: null,
      ...(isShort && { reason: "short_return" }),
    })
    .where("id", "=", row.id)
    .execute();
  await wakeOrder(transaction, row.order_id);
  await parts.post(transaction, {
    kind: "partner_return",
    sourceId: row.id.toString(),
    at: parts.clock.now(),
    entries: partnerReturnEntries(row.from_slug, row.amount, returned),
  });
  const about = { orderId: row.order_id, partner: row.partner, returned: returned.toString() };
  if (isShort) parts.log.error(about, "a partner returned too little; its order needs review");
  else parts.log.warn(about, "a partner returned what it was paid");
}

async function bookSurplus(parts: LiquidityParts, transaction: Transaction<Schema>, deposit: Arrived): Promise<void> {
  await credit(parts, transaction, deposit.id);
  await parts.post(transaction, {
    kind: "partner_surplus",
    sourceId: deposit.id.toString(),
    at: parts.clock.now(),
    entries: partnerSurplusEntries(deposit.slug, deposit.amount),
  });
}

/** Throws where somebody else has credited or held it since it was read. */
async function credit(parts: LiquidityParts, transaction: Transaction<Schema>, id: bigint): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("deposits")
    .set({ credited_at: parts.clock.now() })
    .where("id", "=", id)
    .where("credited_at", "is", null)
    .where("review_reason", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error("a deposit was credited or held by somebody else while it was booked");
}
