import { sql } from "kysely";
import { kyselyOf, type QuerySource } from "../../../db/transaction.ts";
import type { PayoutRow } from "../store.ts";
import type { ReviewReason } from "../failures.ts";

/** Why a payment waits whose deposit a reorganisation took away. */
export const DEPOSIT_GONE = "deposit_gone" satisfies ReviewReason;

/**
 * Whether a credited deposit that a payment was decided by is in no block now, or came back changed: one of its order, one that a partner
 * returned for it, or the one that it refunds (engine law 14). What came beside them and was sent back, or written off, paid for nothing.
 */
export async function isDepositGone(
  source: QuerySource,
  { orderId, exchangeId, depositId }: Pick<PayoutRow, "orderId" | "exchangeId" | "depositId">,
): Promise<boolean> {
  if (orderId === null && exchangeId === null && depositId === null) return false;
  const { rows } = await sql`
    with paid as (select coalesce(${orderId}, (select order_id from partner_exchanges where id = ${exchangeId}::bigint)) as order_id)
    select from paid, deposits d where d.order_id = paid.order_id and d.returned_at is null and ${IS_GONE}
    union all select from paid, partner_exchanges x, deposits d
      where x.order_id = paid.order_id and d.exchange_id = x.id and ${IS_GONE}
    union all select from deposits d where d.id = ${depositId}::bigint and ${IS_GONE}
    limit 1`.execute(kyselyOf(source));
  return rows.length > 0;
}

const IS_GONE = sql<boolean>`(d.credited_at is not null and d.block_height is null)`;
