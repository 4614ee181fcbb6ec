import { sql, type Kysely } from "kysely";
import type { Schema } from "../../../db/schema.ts";
import { unreadSinceRestore } from "../unknown-payments.ts";

/**
 * Why what is in a wallet may have been withdrawn already: a restored database doesn't know what was paid since, on any network. An unknown
 * payment to the address of `withdrawal` speaks against nothing, since its own payment waits beside it, but for all others to that address: it
 * is the payment of one. Null where nothing does.
 */
export async function withdrawalStop(
  db: Kysely<Schema>,
  withdrawal: { id?: bigint; network: string; address: string },
): Promise<string | null> {
  const unread = await unreadSinceRestore(db);
  if (unread !== null) return unreadText(unread);
  const { network, address } = withdrawal;
  const undecided = await db
    .selectFrom("unknown_payments")
    .select(["network", "tx_id as txId"])
    .select(
      sql<boolean>`network = ${network} and (pays is null
        or pays @> jsonb_build_array(jsonb_build_object('to', ${address}::text)))`.as("isOwn"),
    )
    .where("decision", "is", null)
    .orderBy("isOwn")
    .limit(1)
    .executeTakeFirst();
  if (undecided === undefined) return null;
  if (!undecided.isOwn) return undecidedText(undecided);
  const before = await unsignedTo(db, withdrawal);
  return before === null
    ? null
    : `no row knows ${undecided.txId} of ${network}, which may have paid withdrawal ${before} to that address`;
}

/** An approved withdrawal of which nothing is signed, to the same address, or where payees are hidden on the same network. */
async function unsignedTo(
  db: Kysely<Schema>,
  { id, network, address }: { id?: bigint; network: string; address: string },
): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    select w.id from withdrawals w join payouts p on p.withdrawal_id = w.id
    where w.state = 'approved' and w.network = ${network} and w.id is distinct from ${id ?? null}::bigint
      and (w.address = ${address} or exists (
        select from unknown_payments u where u.decision is null and u.network = ${network} and u.pays is null))
      and p.state in ('intended', 'review') and not exists (
        select from payout_attempts a where a.payout_id = p.id and a.status <> 'dead')
    order by w.id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** Why no withdrawal is signed now, whenever it was approved: its sum may have left by another way. Null where nothing speaks against it. */
export async function unsafeWithdrawals(db: Kysely<Schema>): Promise<string | null> {
  const unread = await unreadSinceRestore(db);
  if (unread !== null) return unreadText(unread);
  const undecided = await db
    .selectFrom("unknown_payments")
    .select(["network", "tx_id as txId"])
    .where("decision", "is", null)
    .limit(1)
    .executeTakeFirst();
  return undecided === undefined ? null : undecidedText(undecided);
}

const unreadText = (network: string): string => `${network} is not read to its tip since the database was restored`;

const undecidedText = ({ network, txId }: { network: string; txId: string }): string =>
  `no row knows ${txId} of ${network}, which may be a withdrawal`;
