import { sql, type RawBuilder, type Transaction } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import type { Schema } from "../../db/schema.ts";
import { chunksOf } from "./chunks.ts";
import type { RecognisedDeposit } from "./recognised-deposits.ts";

const { changedAfterCredit: CHANGED, goneAfterCredit: GONE } = REVIEW_REASON;

/** Value that a block brings to an address of ours; the block says the rest. */
type SeenDeposit = Omit<RecognisedDeposit, "network" | "detected_at">;

type Block = { network: string; height: number; hash: string; at: Date; log: Log };

/** One parameter per column: a block may pay us more often than a statement has parameters. */
const asTable = (deposits: readonly SeenDeposit[]): RawBuilder<unknown> => sql`unnest(
  ${deposits.map((one) => one.tx_id)}::text[], ${deposits.map((one) => one.output_index)}::int[],
  ${deposits.map((one) => one.address)}::text[], ${deposits.map((one) => one.slug)}::text[],
  ${deposits.map((one) => one.amount)}::numeric[], ${deposits.map((one) => one.order_id)}::text[],
  ${deposits.map((one) => one.exchange_id)}::bigint[], ${deposits.map((one) => one.review_reason)}::text[]
) as seen (tx_id, output_index, address, slug, amount, order_id, exchange_id, review_reason)`;

/** Whether a stored row says what is seen now, with that name for what is seen. */
const isSame = (seen: "seen" | "excluded") => sql`
  (deposits.address, deposits.slug, deposits.amount) = (${sql.ref(`${seen}.address`)}, ${sql.ref(`${seen}.slug`)}, ${sql.ref(`${seen}.amount`)})
  and deposits.order_id is not distinct from ${sql.ref(`${seen}.order_id`)}
  and deposits.exchange_id is not distinct from ${sql.ref(`${seen}.exchange_id`)}`;

/** Those of these transactions that brought deposits before. */
export async function knownTransactions(
  transaction: Transaction<Schema>,
  network: string,
  txIds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const some of chunksOf(txIds)) {
    const { rows } = await sql<{ tx_id: string }>`
      select seen.tx_id from unnest(${some}::text[]) as seen (tx_id) where exists (
        select 1 from deposits d where d.network = ${network} and d.tx_id = seen.tx_id)`.execute(transaction);
    for (const row of rows) known.add(row.tx_id);
  }
  return known;
}

/**
 * Stores the deposits of a block. One that is known takes the new block and, until it is credited, the new amount and recipient (engine
 * law 7). A credited one that comes back changed keeps what was credited, without a block, and is reviewed. `known` are the transactions
 * that brought deposits before.
 */
export async function storeDeposits(
  transaction: Transaction<Schema>,
  block: Block,
  deposits: readonly SeenDeposit[],
  known: ReadonlySet<string>,
): Promise<void> {
  const seenBefore = deposits.filter((one) => known.has(one.tx_id));
  if (seenBefore.length > 0) await noteChanged(transaction, block, seenBefore);
  const { network, height, hash, at } = block;
  const same = isSame("excluded");
  const credited = sql`deposits.credited_at is not null`;
  const unlessCredited = (column: string) =>
    sql`case when ${credited} then ${sql.ref(`deposits.${column}`)} else ${sql.ref(`excluded.${column}`)} end`;
  await sql`
    insert into deposits (network, tx_id, output_index, address, slug, amount, order_id, exchange_id, review_reason,
      block_height, block_hash, detected_at, mined_at)
    select ${network}, seen.*, ${height}::int, ${hash}, ${at}::timestamptz, ${at}::timestamptz from ${asTable(deposits)}
    on conflict (network, tx_id, output_index) do update set
      block_height = case when ${same} or not ${credited} then excluded.block_height end,
      block_hash = case when ${same} or not ${credited} then excluded.block_hash end,
      in_mempool = false,
      gone_since = null,
      detected_at = case when ${same} or ${credited} then deposits.detected_at else excluded.detected_at end,
      mined_at = case when ${same} or ${credited} then coalesce(deposits.mined_at, excluded.mined_at) else excluded.mined_at end,
      address = ${unlessCredited("address")}, slug = ${unlessCredited("slug")}, amount = ${unlessCredited("amount")},
      order_id = ${unlessCredited("order_id")}, exchange_id = ${unlessCredited("exchange_id")},
      review_reason = case
        when ${same} then case deposits.review_reason when ${CHANGED} then ${GONE} else deposits.review_reason end
        when ${credited} then ${CHANGED} else excluded.review_reason end`.execute(transaction);
}

/** Wakes what a changed deposit paid before, and reports those that were credited. */
async function noteChanged(
  transaction: Transaction<Schema>,
  { network, log }: Block,
  deposits: readonly SeenDeposit[],
): Promise<void> {
  // Row by row, by the index: a join would read the whole table for each part of a large block.
  const { rows } = await sql<{
    tx_id: string;
    order_id: string | null;
    exchange_id: bigint | null;
    is_credited: boolean;
  }>`
    select deposits.tx_id, deposits.order_id, deposits.exchange_id, deposits.credited_at is not null as is_credited
    from ${asTable(deposits)} cross join lateral (
      select * from deposits d where d.network = ${network} and d.tx_id = seen.tx_id and d.output_index = seen.output_index limit 1
    ) deposits
    where not (${isSame("seen")})`.execute(transaction);
  if (rows.length === 0) return;
  for (const { tx_id: txId, is_credited: isCredited } of rows)
    if (isCredited)
      log.error({ network, txId, reason: CHANGED }, "a credited deposit came back changed; it needs review");
  const orders = rows.flatMap(({ order_id }) => order_id ?? []);
  const exchanges = rows.flatMap(({ exchange_id }) => exchange_id ?? []);
  await sql`update orders set next_attempt_at = now() where id = any(${orders}::text[])`.execute(transaction);
  await sql`update partner_exchanges set next_attempt_at = now() where id = any(${exchanges}::bigint[])`.execute(
    transaction,
  );
}
