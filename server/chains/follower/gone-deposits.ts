import { sql } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";

const AT_ONCE = 500;

type Gone = { id: bigint; order_id: string | null; exchange_id: bigint | null };
type Ended = { id: bigint; network: string; txId: string; was_held: boolean };

/**
 * Ends deposits that no block and no mempool has shown since `before`, with what waits for them: nothing of them was credited. One that is
 * mined after all is stored anew. True when there may be more.
 */
export async function endGoneDeposits(
  { database, log, probe }: { database: Database; log: Log; probe?: TransactionProbe | undefined },
  before: Date,
): Promise<boolean> {
  const { kysely } = database;
  const { rows: gone } = await sql<Gone>`
    select id, order_id, exchange_id from deposits
    where gone_since <= ${before} and credited_at is null order by gone_since limit ${AT_ONCE}`.execute(kysely);
  if (gone.length === 0) return false;
  const ended = await inTransaction(
    database,
    async (transaction) => {
      const orders = gone.flatMap(({ order_id }) => order_id ?? []);
      const exchanges = gone.flatMap(({ exchange_id }) => exchange_id ?? []);
      // The orders before their deposits, as everywhere.
      await sql`update orders set next_attempt_at = now() where id = any(${orders}::text[])`.execute(transaction);
      await sql`update partner_exchanges set next_attempt_at = now() where id = any(${exchanges}::bigint[])`.execute(
        transaction,
      );
      const { rows } = await sql<Ended>`
        delete from deposits where id = any(${gone.map(({ id }) => id)}::bigint[])
          and gone_since <= ${before} and credited_at is null
        returning id, network, tx_id as "txId", review_reason is not null or refund_requested_at is not null as was_held`.execute(
        transaction,
      );
      return rows;
    },
    probe,
  );
  for (const { id, network, txId, was_held: wasHeld } of ended)
    if (wasHeld)
      log.warn(
        { depositId: `${id}`, network, txId },
        "a deposit in review has ended: no block and no mempool shows it",
      );
  return gone.length === AT_ONCE;
}
