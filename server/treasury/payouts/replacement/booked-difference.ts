import { sql, type RawBuilder, type Transaction } from "kysely";
import type { Schema } from "../../../db/schema.ts";
import { correctedPayoutEntries, correctedRefundEntries, payoutEntries } from "../../ledger/entries.ts";
import { correctionOf, postAll } from "../../ledger/ledger.ts";
import type { PayoutRow } from "../store.ts";

type Owed = Pick<PayoutRow, "slug" | "purpose" | "orderId" | "depositId">;

/**
 * Books that an order's payment, or a deposit's return, pays so much more, or less, than was decided, by the transaction that shows it. One that a block
 * had before is booked as paid still: it has left with that difference.
 */
export async function bookDifference(
  transaction: Transaction<Schema>,
  payout: Owed & Pick<PayoutRow, "id" | "minedHeight">,
  { txId, difference, at }: { txId: string; difference: bigint; at: Date },
): Promise<void> {
  const { slug, purpose, id, minedHeight } = payout;
  const correction = correctionBy(payout, txId);
  const { rows } = await sql<{ booked: number }>`
    select count(*)::int as booked from ledger_transfers t where ${isOf(correction)}`.execute(transaction);
  // It may be booked, unbooked, and booked again.
  const times = rows[0]?.booked ?? 0;
  const entries =
    purpose === "payout" ? correctedPayoutEntries(slug, difference) : correctedRefundEntries(slug, difference);
  const timesOf = ({ kind, sourceId }: typeof correction) => ({
    kind,
    sourceId: times === 0 ? sourceId : `${sourceId} ${times + 1}`,
  });
  const left = { ...timesOf(correctionOf({ kind: "payout", sourceId: `${id}` }, txId)), at };
  await postAll(transaction, [
    { ...timesOf(correction), at, entries },
    ...(minedHeight === null ? [] : [{ ...left, entries: payoutEntries(slug, difference) }]),
  ]);
}

/** What the bookings of a transaction have changed a payment by. */
export async function bookedDifference(transaction: Transaction<Schema>, payout: Owed, txId: string): Promise<bigint> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(e.amount), 0) as sum from ledger_transfers t
    join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
    where ${isOf(correctionBy(payout, txId))} and a.name = 'customers'`.execute(transaction);
  return rows[0]?.sum ?? 0n;
}

function correctionBy({ purpose, orderId, depositId }: Owed, txId: string) {
  const kind = purpose === "payout" ? "exchange" : orderId === null ? "return_fee" : "refund_fee";
  return correctionOf({ kind, sourceId: orderId ?? String(depositId) }, txId);
}

const isOf = ({ kind, sourceId }: { kind: string; sourceId: string }): RawBuilder<boolean> =>
  sql`(t.kind = ${kind} and (t.source_id = ${sourceId} or starts_with(t.source_id, ${`${sourceId} `})))`;
