import { sql, type Kysely, type Transaction } from "kysely";
import { archivedAmong, returnArchivedExchanges, returnArchivedOrders } from "../../db/archived-orders.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";
import type { ObservedTransfer } from "../port.ts";
import { usesOf, type UseOf } from "./address-uses.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import { chunksOf, TRANSFERS_AT_ONCE } from "./chunks.ts";

/** Orders that one transaction brings back. */
const ORDERS_AT_ONCE = 50;

/** Why a deposit of an archived order leaves the order where it is; null where it brings it back, and for any other. */
export type ReviewOf = (transfer: ObservedTransfer) => string | null;

/**
 * Brings the archived orders back that these transfers pay, in transactions of their own before the one that stores the transfers: a
 * block that pays many of them stops its network for no longer than it must.
 */
export async function returnPaidOrders(
  parts: { database: Database; probe?: TransactionProbe | undefined },
  network: string,
  transfers: readonly ObservedTransfer[],
): Promise<void> {
  for (const some of chunksOf(transfers, TRANSFERS_AT_ONCE)) await returnPaidAmong(parts, network, some);
}

async function returnPaidAmong(
  { database, probe }: Parameters<typeof returnPaidOrders>[0],
  network: string,
  transfers: readonly ObservedTransfer[],
): Promise<void> {
  const { kysely } = database;
  const useOf = await usesOf(kysely, network, transfers);
  const reviewOf = await reviewsOfArchived(kysely, network, transfers, useOf);
  const { orderIds, exchangeIds } = paidBy(transfers, useOf, reviewOf);
  const ids: string[] = [];
  for (const some of chunksOf(orderIds))
    ids.push(...(await archivedAmong(kysely, { orderIds: some, exchangeIds: [] })));
  for (const some of chunksOf(exchangeIds))
    ids.push(...(await archivedAmong(kysely, { orderIds: [], exchangeIds: some })));
  for (const some of chunksOf(new Set(ids), ORDERS_AT_ONCE))
    await inTransaction(database, (transaction) => returnArchivedOrders(transaction, some), probe);
}

/** The same inside the transaction that stores the transfers, for orders that were archived meanwhile: no more of them can be then. */
export async function returnStillArchived(
  transaction: Transaction<Schema>,
  network: string,
  transfers: readonly ObservedTransfer[],
  useOf: UseOf,
): Promise<ReviewOf> {
  const reviewOf = await reviewsOfArchived(transaction, network, transfers, useOf);
  const { orderIds, exchangeIds } = paidBy(transfers, useOf, reviewOf);
  for (const some of chunksOf(orderIds)) await returnArchivedOrders(transaction, some);
  for (const some of chunksOf(exchangeIds)) await returnArchivedExchanges(transaction, some);
  return reviewOf;
}

/** Which of these transfers pay an order in the archive, or an exchange of one; the other orders are locked against archiving. */
export async function archivedUses(
  transaction: Transaction<Schema>,
  transfers: readonly ObservedTransfer[],
  useOf: UseOf,
): Promise<(transfer: ObservedTransfer) => boolean> {
  const { orderIds, exchangeIds } = paidBy(transfers, useOf, () => null);
  const live = new Set<string | bigint>();
  for (const some of chunksOf(orderIds)) {
    const { rows } = await sql<{ id: string }>`
      select id from orders where id = any(${some}::text[]) order by id for key share`.execute(transaction);
    for (const { id } of rows) live.add(id);
  }
  for (const some of chunksOf(exchangeIds)) {
    const { rows } = await sql<{ id: bigint }>`
      select x.id from partner_exchanges x join orders o on o.id = x.order_id
      where x.id = any(${some}::bigint[]) order by o.id for key share of o`.execute(transaction);
    for (const { id } of rows) live.add(id);
  }
  return (transfer) => {
    const use = useOf(transfer);
    const id = use?.orderId ?? use?.exchangeId ?? null;
    return id !== null && !live.has(id);
  };
}

function paidBy(transfers: readonly ObservedTransfer[], useOf: UseOf, reviewOf: ReviewOf) {
  const uses = transfers.filter((transfer) => reviewOf(transfer) === null).flatMap((transfer) => useOf(transfer) ?? []);
  return {
    // In one order, whichever transfers pay them: who locks some of them waits for others in it.
    orderIds: [...new Set(uses.flatMap(({ orderId }) => orderId ?? []))].sort(),
    exchangeIds: [...new Set(uses.flatMap(({ exchangeId }) => exchangeId ?? []))],
  };
}

/**
 * Dust and other coins than the order's change nothing for an order that is over, so whoever sends them to many orders brings none of
 * them back. A deposit that the archive has already comes back with its order, whose row then takes what is seen now.
 */
async function reviewsOfArchived(
  db: Kysely<Schema>,
  network: string,
  transfers: readonly ObservedTransfer[],
  useOf: UseOf,
): Promise<ReviewOf> {
  const orderIds = new Set(transfers.flatMap((transfer) => useOf(transfer)?.orderId ?? []));
  const archived = new Set<string>();
  for (const some of chunksOf(orderIds))
    for (const id of await archivedAmong(db, { orderIds: some, exchangeIds: [] })) archived.add(id);
  if (archived.size === 0) return () => null;
  const paid = transfers.flatMap((transfer) => {
    const orderId = useOf(transfer)?.orderId ?? null;
    return orderId === null || !archived.has(orderId) ? [] : [{ ...transfer, orderId }];
  });
  const reasons = new Map<string, string>();
  for (const some of chunksOf(paid))
    for (const row of await reviewRows(db, network, some)) reasons.set(`${row.tx_id}:${row.output_index}`, row.reason);
  return ({ txId, outputIndex }) => reasons.get(`${txId}:${outputIndex}`) ?? null;
}

type ReviewRow = { tx_id: string; output_index: number; reason: string };

async function reviewRows(
  db: Kysely<Schema>,
  network: string,
  paid: readonly (ObservedTransfer & { orderId: string })[],
): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    with over as materialized (
      select id, document -> 'orders' -> 0 ->> 'from_slug' as slug, document -> 'deposits' as deposits,
        (document -> 'orders' -> 0 -> 'snapshot' -> 'terms' ->> 'minDeposit')::numeric as min
      from archived_orders where id = any(${[...new Set(paid.map(({ orderId }) => orderId))]}::text[])
    )
    select seen.tx_id, seen.output_index, case when seen.slug = over.slug then ${REVIEW_REASON.dust} else ${REVIEW_REASON.wrongAsset} end as reason
    from unnest(${paid.map((one) => one.orderId)}::text[], ${paid.map((one) => one.txId)}::text[],
      ${paid.map((one) => one.outputIndex)}::int[], ${paid.map((one) => one.slug)}::text[], ${paid.map((one) => one.amount)}::numeric[])
      as seen (order_id, tx_id, output_index, slug, amount)
    join over on over.id = seen.order_id
    where (seen.slug <> over.slug or seen.amount < over.min) and not over.deposits @> jsonb_build_array(
      jsonb_build_object('network', ${network}::text, 'tx_id', seen.tx_id, 'output_index', seen.output_index))`.execute(
    db,
  );
  return rows;
}
