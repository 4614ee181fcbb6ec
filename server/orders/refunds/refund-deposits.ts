import { sql } from "kysely";
import type { Catalogue } from "../../catalogue/index.ts";
import { requireInstrument } from "../../catalogue/index.ts";
import { confirmationsAt, readTip } from "../../chains/follower/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";
import { depositEntries, refundEntries } from "../../treasury/ledger/entries.ts";
import type { IntendPayout, PostTransfers } from "../../treasury/port.ts";

export type RefundDepositsParts = {
  database: Database;
  catalogue: Catalogue;
  clock: Clock;
  log: Log;
  intendPayout: IntendPayout;
  postAll: PostTransfers;
  /** Network fee of a refund in its own minor units; null while unknown. */
  returnFee(slug: string): bigint | null;
  probe?: TransactionProbe;
};

const BATCH = 50;

/** Sends the deposits back whose return an operator has requested, once they are confirmed. */
export async function refundRequestedDeposits(parts: RefundDepositsParts): Promise<void> {
  const due = await parts.database.kysely
    .selectFrom("deposits")
    .select("id")
    .where("refund_requested_at", "is not", null)
    .where("returned_at", "is", null)
    .orderBy("id")
    .limit(BATCH)
    .execute();
  for (const { id } of due) await refundDeposit(parts, id);
}

async function refundDeposit(parts: RefundDepositsParts, id: bigint): Promise<void> {
  const at = parts.clock.now();
  await inTransaction(
    parts.database,
    async (transaction) => {
      const deposit = await transaction
        .selectFrom("deposits")
        .selectAll()
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      if (deposit?.refund_address == null || deposit.returned_at !== null || deposit.credited_at !== null) return;
      const { network, slug, amount, block_height: height } = deposit;
      const fee = parts.returnFee(slug);
      const depth = confirmationsAt(await readTip(transaction, network), height);
      if (fee === null || depth < requireInstrument(parts.catalogue, slug).confirmations) return;
      if (amount <= fee) {
        parts.log.error({ depositId: id.toString(), fee: fee.toString() }, "a deposit is too small to be sent back");
        await transaction.updateTable("deposits").set({ refund_requested_at: null }).where("id", "=", id).execute();
        return;
      }
      const sourceId = id.toString();
      const to = { toAddress: deposit.refund_address, toMemo: deposit.refund_memo };
      const intent = { source: { depositId: id }, purpose: "refund", network, slug, amount: amount - fee } as const;
      await parts.intendPayout(transaction, { ...intent, ...to }, at);
      await transaction
        .updateTable("deposits")
        .set({ credited_at: at, returned_at: at, review_reason: null })
        .where("id", "=", id)
        .execute();
      // Its order may have nothing else.
      const due = { next_attempt_at: sql<Date>`now()` };
      await transaction.updateTable("orders").set(due).where("id", "=", deposit.order_id).execute();
      // Last and at once: everybody else waits for the accounts.
      await parts.postAll(transaction, [
        { kind: "deposit", sourceId, at, entries: depositEntries(slug, amount) },
        { kind: "return_fee", sourceId, at, entries: refundEntries(slug, fee) },
      ]);
    },
    parts.probe,
  );
}
