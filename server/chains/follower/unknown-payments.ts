import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { NetworkWallet, ObservedBlock } from "../port.ts";

/** A payment from the hot wallet that a chain shows; `height` is null while it is in no block, `pays` where the network hides it. */
type SentPayment = { txId: string; height: number | null; pays: { to: string; slug: string; amount: string }[] | null };

export const UNKNOWN_PAYMENTS =
  "the chain shows payments from the hot wallet that no row knows; nothing is signed on the network until each is decided";

export const minedPayments = ({ sent = [], height, transfers }: ObservedBlock): SentPayment[] =>
  sent.map((txId) => ({
    txId,
    height,
    pays: transfers
      .filter((transfer) => transfer.txId === txId)
      .map(({ toAddress, slug, amount }) => ({ to: toAddress, slug, amount: amount.toString() })),
  }));

/**
 * Stores the payments of a hot wallet that no attempt of ours is, and that are not older than this database: after the restore of a
 * backup, those that were made since. While one is undecided nothing is signed on the network. Returns the new ones.
 */
export async function recordUnknownPayments(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly SentPayment[],
  at: Date,
): Promise<string[]> {
  if (payments.length === 0) return [];
  const { rows } = await sql<{ tx_id: string }>`
    insert into unknown_payments (network, tx_id, height, pays, found_at)
    select ${network}, sent.tx_id, sent.height, sent.pays, ${at}
    from unnest(${payments.map(({ txId }) => txId)}::text[], ${payments.map(({ height }) => height)}::integer[],
      ${payments.map(({ pays }) => pays && JSON.stringify(pays))}::jsonb[]) as sent (tx_id, height, pays)
    where not exists (select 1 from payout_attempts a where a.network = ${network} and a.tx_id = sent.tx_id)
      and not exists (select 1 from payout_cancellations c where c.network = ${network} and c.tx_id = sent.tx_id)
      and not exists (select 1 from payout_children c where c.network = ${network} and c.tx_id = sent.tx_id)
      and (sent.height is null or sent.height > (select first_height from followed_networks where network = ${network}))
    on conflict (network, tx_id) do nothing
    returning tx_id`.execute(transaction);
  return rows.map((row) => row.tx_id);
}

/** Stores which blocks are older than this database, once for a network. */
export async function recordFirstHeight(
  transaction: Transaction<Schema>,
  network: string,
  height: number,
): Promise<void> {
  await transaction
    .insertInto("followed_networks")
    .values({ network, first_height: height })
    .onConflict((conflict) => conflict.column("network").doNothing())
    .execute();
}

/**
 * Asks a wallet whose payments the blocks don't show, or whose coins a payment in the mempool may have spent. Throws after it has stored
 * payments that no row knows, so that nothing is signed beside them.
 */
export async function checkRecentPayments(database: Database, wallet: NetworkWallet, at: Date): Promise<void> {
  if (wallet.recentPayments === undefined) return;
  const { networkTitle: network } = wallet;
  const { lowest } = await database.kysely
    .selectFrom("chain_tail")
    .select((build) => build.fn.min("height").as("lowest"))
    .where("network", "=", network)
    .executeTakeFirstOrThrow();
  const payments = (await wallet.recentPayments(lowest ?? 0)).map((payment) => ({ ...payment, pays: null }));
  const unknown = await inTransaction(database, (transaction) =>
    recordUnknownPayments(transaction, network, payments, at),
  );
  if (unknown.length > 0) throw new Error(`${UNKNOWN_PAYMENTS}: ${network} ${unknown.join(", ")}`);
}

/** Whether the blocks of a network were not read to its tip since a restore. */
export async function isUnread({ kysely }: Database, network: string): Promise<boolean> {
  const row = await kysely
    .selectFrom("followed_networks")
    .select("network")
    .where("network", "=", network)
    .where("unread_since", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends what a restore began: the blocks of the network are read to its tip `top`. True where it had been unread. A database that fell
 * back since that block was stored doesn't have it.
 */
export async function recordRead(
  { kysely }: Database,
  network: string,
  top: { height: number; hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable("followed_networks")
    .set({ unread_since: null })
    .where("network", "=", network)
    .where("unread_since", "is not", null)
    .where((is) =>
      is.exists(
        is
          .selectFrom("chain_tail")
          .select("height")
          .where("network", "=", network)
          .where("height", "=", top.height)
          .where("hash", "=", top.hash),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
