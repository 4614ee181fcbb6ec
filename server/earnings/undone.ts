import { sql, type RawBuilder } from "kysely";
import type { Log } from "../base/logging/log.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { inTransaction, type TransactionProbe } from "../db/transaction.ts";
import { REVIEW_REASON } from "../db/review-reasons.ts";
import { takeAllOutstanding } from "./outstanding.ts";
import { grantCredit, lockCredit, takeBackCredit, type StoredCredit } from "./wallet.ts";

type Parts = { database: Database; clock: Clock; log: Log; probe?: TransactionProbe };

const AT_ONCE = 100;

const { goneAfterCredit: GONE, changedAfterCredit: CHANGED } = REVIEW_REASON;
const IS_GONE_OR_CHANGED = sql<boolean>`d.review_reason in (${sql.lit(GONE)}, ${sql.lit(CHANGED)})`;

/** The payment of a completed order has turned out not to have arrived, or its credited deposit is gone from the chain. */
const IS_UNDONE = sql<boolean>`(
  exists (select from payouts p where p.order_id = c.order_id and p.state = 'review')
  or exists (select from deposits d where d.order_id = c.order_id and d.credited_at is not null and d.returned_at is null
    and ${IS_GONE_OR_CHANGED}))`;

/** By the rows in review, which are few, never by all that was ever credited. */
const UNDONE = sql`
  select c.id from payouts p join wallet_credits c on c.order_id = p.order_id where p.state = 'review' and c.state = 'completed'
  union
  select c.id from deposits d join wallet_credits c on c.order_id = d.order_id
  where ${IS_GONE_OR_CHANGED} and d.credited_at is not null and d.returned_at is null
    and c.state = 'completed'`;
const DONE_AGAIN = sql`
  select c.id from wallet_credits c where c.state = 'reversed' and not ${IS_UNDONE}
    and exists (select from payouts p where p.order_id = c.order_id and p.state in ('mined', 'final'))`;

/**
 * Takes back what orders have earned whose completion is undone, and gives it again where it is done after all (contract §9). It looks
 * at the rows by itself, so that it doesn't matter who found out, and when this process died. What is in the wallets then is taken for debits that
 * they had too little for.
 */
export async function reverseUndone(parts: Parts): Promise<void> {
  for (const id of await idsOf(parts.database, UNDONE))
    await change(parts, id, { from: "completed", isUndone: true }, async (transaction, credit) => {
      const lost = await takeBackCredit(transaction, credit, parts.clock.now());
      parts.log.error(
        { creditId: id.toString(), userId: credit.userId.toString(), lost: lost.toString() },
        "an order's completion is undone, and what it had earned is taken back",
      );
    });
  for (const id of await idsOf(parts.database, DONE_AGAIN))
    await change(parts, id, { from: "reversed", isUndone: false }, (transaction, credit) =>
      grantCredit(transaction, credit, parts.clock.now()),
    );
  await takeAllOutstanding(parts);
}

async function idsOf({ kysely }: Database, query: RawBuilder<unknown>): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`${query} order by 1 limit ${AT_ONCE}`.execute(kysely);
  return rows.map(({ id }) => id);
}

/** Judged again under the credit's lock. */
function change(
  { database, probe }: Parts,
  id: bigint,
  expected: { from: StoredCredit["state"]; isUndone: boolean },
  work: (transaction: Parameters<typeof lockCredit>[0], credit: StoredCredit) => Promise<void>,
): Promise<void> {
  return inTransaction(
    database,
    async (transaction) => {
      const credit = await lockCredit(transaction, id);
      if (credit?.state !== expected.from) return;
      const { rows } = await sql<{ undone: boolean }>`
        select ${IS_UNDONE} as undone from wallet_credits c where c.id = ${id}`.execute(transaction);
      if (rows[0]?.undone === expected.isUndone) await work(transaction, credit);
    },
    probe,
  );
}
