import { sql, type Transaction } from "kysely";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Schema } from "../../db/schema.ts";
import { TAIL_LENGTH, type ObservedBlock } from "../port.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import { chunksOf, TRANSFERS_AT_ONCE } from "./chunks.ts";
import { forgetHeights, logStored, minedPayments, recordUnknownPayments } from "./unknown-payments.ts";
import { knownTransactions, storeDeposits } from "./deposit-rows.ts";
import { type MinDeposit, type RecognisedDeposit, recogniseDeposits } from "./recognised-deposits.ts";
import type { FollowedPayments } from "./port.ts";
import { readTop } from "./tail.ts";
import { forgetSweeps, noteBlock, recordUnknownSweeps } from "./own-payments.ts";
import { recheckAbove } from "./retired-addresses.ts";
import { reviewLostDeposits, releaseRecoveredDeposits } from "./reorganisation.ts";

/** Deposits that one statement stores: a block of any size takes many short ones, none of which runs into its time limit. */
const STORED_AT_ONCE = 2_000;

/** How a block is stored: when, from which amount a deposit counts, and which coin pays the network's fees. */
type Seen = { at: Date; log: Log; minDeposit: MinDeposit; coin: string };

/**
 * Adds blocks that follow each other, with their deposits, and wakes the orders and payouts that wait for confirmations. Null when
 * another process has added a block first, which is no failure.
 */
export async function appendBlocks(
  transaction: Transaction<Schema>,
  network: string,
  blocks: readonly [ObservedBlock, ...ObservedBlock[]],
  { payments, ...seen }: Seen & { payments: FollowedPayments },
): Promise<{ hasWoken: boolean } | null> {
  await lockTail(transaction, network);
  const top = await readTop(transaction, network);
  const [first] = blocks;
  if (top !== null && (top.height + 1 !== first.height || top.hash !== first.parentHash)) return null;
  const tail = blocks.map(({ height, hash, parentHash }) => ({ network, height, hash, parent_hash: parentHash }));
  await transaction.insertInto("chain_tail").values(tail).execute();
  for (const block of blocks) await storeMoves(transaction, network, block, seen);
  const { height } = blocks.at(-1) ?? first;
  await transaction
    .deleteFrom("chain_tail")
    .where("network", "=", network)
    .where("height", "<=", height - TAIL_LENGTH)
    .execute();
  if (await releaseRecoveredDeposits(transaction, network, height, payments))
    seen.log.info({ network }, "every credited deposit is back on the chain; payments on the network continue");
  return { hasWoken: await wake(transaction, network, payments) };
}

/** Stores what a block moves of ours: deposits, and payments from our addresses that no row knows. */
async function storeMoves(
  transaction: Transaction<Schema>,
  network: string,
  block: ObservedBlock,
  seen: Seen,
): Promise<void> {
  const { at, log, coin } = seen;
  // First: the gas of a sweep is no deposit.
  logStored(log, network, await recordUnknownPayments(transaction, network, minedPayments(block, coin), at));
  await noteBlock(transaction, network, block);
  await recordUnknownSweeps(transaction, network, block, seen);
  for (const { tx_id: txId, order_id: orderId } of await observe(transaction, network, block, seen))
    if (orderId === null)
      log.error({ network, txId, reason: REVIEW_REASON.noOrder }, "a deposit belongs to no order and needs review");
    else log.error({ orderId, txId, reason: REVIEW_REASON.wrongAsset }, "a deposit of another coin needs review");
}

/** Drops the blocks above `height`; their deposits lose their block until the chain includes them again. */
export async function rollBack(
  transaction: Transaction<Schema>,
  network: string,
  height: number,
  { log, payments, clock }: { log: Log; payments: FollowedPayments; clock: Clock },
): Promise<void> {
  await lockTail(transaction, network);
  await transaction.deleteFrom("chain_tail").where("network", "=", network).where("height", ">", height).execute();
  await recheckAbove(transaction, network, height);
  await forgetHeights(transaction, network, height);
  await transaction
    .updateTable("deposits")
    .set({ block_height: null, block_hash: null, gone_since: clock.now() })
    .where("network", "=", network)
    .where("block_height", ">", height)
    .execute();
  const lost = await reviewLostDeposits(transaction, network, payments);
  if (lost.length > 0)
    log.error(
      { network, txIds: lost },
      "credited deposits are gone from the chain; payments on the network are stopped",
    );
  await payments.resumeUndone(transaction, network, height);
  await forgetSweeps(transaction, network, height);
  await wake(transaction, network, payments);
}

/** One follower at a time, whichever process it runs in. */
export const lockTail = (transaction: Transaction<Schema>, network: string) =>
  sql`select pg_advisory_xact_lock(hashtext('chain_tail'), hashtext(${network}))`.execute(transaction);

/** Stores what arrives at our addresses; returns what needs review and no order's step will report. */
async function observe(
  transaction: Transaction<Schema>,
  network: string,
  block: ObservedBlock,
  { at, log, minDeposit }: Seen,
): Promise<{ tx_id: string; order_id: string | null }[]> {
  const unreported: { tx_id: string; order_id: string | null }[] = [];
  const place = { network, height: block.height, hash: block.hash, at, log };
  for (const transfers of chunksOf(block.transfers, TRANSFERS_AT_ONCE)) {
    const { depositOf, txIds } = await recogniseDeposits(transaction, network, transfers, { at, minDeposit });
    const known = await knownTransactions(transaction, network, txIds);
    for (const some of chunksOf(transfers, STORED_AT_ONCE)) {
      const deposits = some.flatMap((transfer) => depositOf(transfer) ?? []);
      if (deposits.length === 0) continue;
      await storeDeposits(transaction, place, deposits, known);
      for (const row of deposits)
        if (isOrderless(row) || row.review_reason === REVIEW_REASON.wrongAsset) unreported.push(row);
    }
  }
  return unreported;
}

const isOrderless = (row: RecognisedDeposit): boolean =>
  row.order_id === null && row.exchange_id === null && row.review_reason !== REVIEW_REASON.dust;

/** True when something became due. */
async function wake(transaction: Transaction<Schema>, network: string, payments: FollowedPayments): Promise<boolean> {
  const waiting = transaction
    .selectFrom("deposits")
    .select("order_id")
    .where("network", "=", network)
    .where("credited_at", "is", null)
    .where("review_reason", "is", null);
  const orders = await transaction
    .updateTable("orders")
    .set({ next_attempt_at: sql<Date>`now()` })
    .where("id", "in", waiting)
    .executeTakeFirst();
  const exchanges = await transaction
    .updateTable("partner_exchanges")
    .set({ next_attempt_at: sql<Date>`now()` })
    .where("id", "in", waiting.clearSelect().select("exchange_id"))
    .executeTakeFirst();
  const areWoken = await payments.wake(transaction, network);
  return areWoken || orders.numUpdatedRows + exchanges.numUpdatedRows > 0n;
}
