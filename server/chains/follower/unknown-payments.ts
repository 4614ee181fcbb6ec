import { sql, type Transaction } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Handle, NetworkWallet, ObservedBlock, RecentPayment } from "../port.ts";
import { bookedInNoBlock, coinsToOurselves, handlesToOurselves } from "./own-payments.ts";

/** A payment from the hot wallet that a chain shows; `height` is null while it is in no block, `pays` where the network hides it. */
type SentPayment = {
  txId: string;
  height: number | null;
  pays: { to: string; slug: string; amount: string }[] | null;
  /** What has left beside the fee, where `pays` is hidden and the wallet says so. */
  sent?: { slug: string; amount: bigint };
  isToOurselves: boolean;
  /** Whether it is the gas of a sweep where it pays a deposit address of ours. */
  mayBeGas?: boolean;
  /** Absent of one that is in a block, and where its network doesn't show it. */
  handle?: Handle;
};

const UNKNOWN_PAYMENTS =
  "the chain shows payments from the hot wallet that no row knows; nothing is signed on the network until each is decided";
const TO_OURSELVES =
  "the chain shows payments from the hot wallet to itself or a deposit address that no row knows; they pay nobody, and are decided by themselves";

/** What was stored anew, by the ids of its transactions: what an operator has to decide, and what pays nobody. */
type StoredPayments = { unknown: string[]; toOurselves: string[] };

/** Says so, once of each. */
export function logStored(log: Pick<Log, "error" | "warn">, network: string, stored: StoredPayments): void {
  if (stored.unknown.length > 0) log.error({ network, txIds: stored.unknown }, UNKNOWN_PAYMENTS);
  if (stored.toOurselves.length > 0) log.warn({ network, txIds: stored.toOurselves }, TO_OURSELVES);
}

/** Why nothing is signed beside them. */
export const waitsForDecision = (network: string, txIds: readonly string[]): string =>
  `${UNKNOWN_PAYMENTS}: ${network} ${txIds.join(", ")}`;

export const minedPayments = (
  { sent = [], toOurselves = [], height, transfers, moved }: ObservedBlock,
  coin: string,
): SentPayment[] =>
  sent.map((txId) => {
    const paid = transfers.filter((transfer) => transfer.txId === txId);
    return {
      txId,
      height,
      isToOurselves: toOurselves.includes(txId),
      mayBeGas: moved !== undefined && paid.length === 1 && paid[0]?.slug === coin,
      pays: paid.map(({ toAddress, slug, amount }) => ({ to: toAddress, slug, amount: amount.toString() })),
    };
  });

/**
 * Stores the payments of a hot wallet that no attempt of ours is, and that are not older than this database: after the restore of a
 * backup, those that were made since. While one is undecided nothing is signed on the network. One to ourselves is decided at once: by its
 * block, whatever was said of it while it waited for that. Also one of those that we gave up because they pay nobody. So is the gas of a sweep: no
 * payment of anybody goes to a deposit address.
 */
export async function recordUnknownPayments(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly SentPayment[],
  at: Date,
): Promise<StoredPayments> {
  if (payments.length === 0) return { unknown: [], toOurselves: [] };
  const { rows } = await sql<{ tx_id: string; is_new: boolean; decision: string | null }>`
    insert into unknown_payments as known (network, tx_id, height, pays, handle, sent_slug, sent_amount, found_at, decision, decided_at)
    select ${network}, sent.tx_id, sent.height, sent.pays, sent.handle, sent.slug, sent.amount, ${at},
      case when sent.to_ourselves then 'to ourselves' end, case when sent.to_ourselves then ${at}::timestamptz end
    from (select seen.tx_id, seen.height, seen.pays, seen.handle, seen.slug, seen.amount, seen.to_ourselves or (seen.may_be_gas and exists (
        select from deposit_addresses o where o.network = ${network} and o.address = seen.pays->0->>'to' and o.memo is null)) as to_ourselves
    from unnest(${payments.map(({ txId }) => txId)}::text[], ${payments.map(({ height }) => height)}::integer[],
      ${payments.map(({ pays }) => pays && JSON.stringify(pays))}::jsonb[],
      ${payments.map(({ handle }) => (handle === undefined ? null : JSON.stringify(handle)))}::jsonb[],
      ${payments.map(({ sent }) => sent?.slug ?? null)}::text[], ${payments.map(({ sent }) => sent?.amount ?? null)}::numeric[],
      ${payments.map(({ isToOurselves }) => isToOurselves)}::boolean[],
      ${payments.map(({ mayBeGas = false }) => mayBeGas)}::boolean[])
      as seen (tx_id, height, pays, handle, slug, amount, to_ourselves, may_be_gas)) sent
    where not exists (select 1 from payout_attempts a join payouts p on p.id = a.payout_id
        where a.network = ${network} and a.tx_id = sent.tx_id
          and (a.status <> 'dead' or p.purpose <> 'consolidation' or sent.height is null))
      and not exists (select 1 from payout_cancellations c where c.network = ${network} and c.tx_id = sent.tx_id)
      and not exists (select 1 from payout_children c where c.network = ${network} and c.tx_id = sent.tx_id)
      and (sent.height is null or sent.height > (select first_height from followed_networks where network = ${network}))
    on conflict (network, tx_id) do update set height = excluded.height, pays = coalesce(excluded.pays, known.pays),
        sent_slug = coalesce(excluded.sent_slug, known.sent_slug), sent_amount = coalesce(excluded.sent_amount, known.sent_amount),
        decision = case when known.decision is null or known.decision = 'to ourselves' then excluded.decision else known.decision end,
        decided_at = case when known.decision is null or known.decision = 'to ourselves' then excluded.decided_at else known.decided_at end
      where known.height is null and excluded.height is not null
    returning tx_id, xmax = 0 as is_new, decision`.execute(transaction);
  const stored = rows.filter(({ is_new }) => is_new);
  const idsOf = (of: typeof rows) => of.map(({ tx_id }) => tx_id);
  return {
    unknown: idsOf(stored.filter(({ decision }) => decision === null)),
    toOurselves: idsOf(stored.filter(({ decision }) => decision !== null)),
  };
}

/** Those of blocks that are undone wait for another: what they cost is not known before, and whether they come back. */
export async function forgetHeights(transaction: Transaction<Schema>, network: string, above: number): Promise<void> {
  await transaction
    .updateTable("unknown_payments")
    .set({ height: null, absent_at: null })
    .where("network", "=", network)
    .where((is) =>
      is.or([
        is("decision", "is", null),
        is("decision", "=", "booked"),
        is.and([is("decision", "=", "to ourselves"), is("settled_at", "is", null)]),
      ]),
    )
    .where("height", ">", above)
    .execute();
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

/** What the node of a network knows of the hot wallet's payments and no row does. */
type Unexplained = StoredPayments & { waiting: string[]; replaceable?: Handle[] };

/**
 * Asks the node for the payments of the hot wallet that wait for a block, or that blocks don't show, and stores those that no row knows.
 * `waiting` are the handles of those that wait and that no payment of ours has reserved. Where nothing but payments to ourselves waits,
 * `replaceable` is all that is known of those on the lowest of these; where there are no nonces, the coins of each of them.
 */
export async function storeRecentPayments(database: Database, wallet: NetworkWallet, at: Date): Promise<Unexplained> {
  if (wallet.recentPayments === undefined) return { unknown: [], toOurselves: [], waiting: [] };
  const { networkTitle: network } = wallet;
  const { lowest } = await database.kysely
    .selectFrom("chain_tail")
    .select((build) => build.fn.min("height").as("lowest"))
    .where("network", "=", network)
    .executeTakeFirstOrThrow();
  const found = await wallet.recentPayments(lowest ?? 0);
  // Several nodes may show the same one, and one of them more of it.
  const sent = new Map<string, SentPayment>();
  for (const payment of found.flatMap(sentPayment)) {
    const before = sent.get(payment.txId);
    const more = (before?.pays ?? before?.sent ?? null) === null ? payment : (before ?? payment);
    // None of them may show it otherwise.
    const isToOurselves = payment.isToOurselves && before?.isToOurselves !== false;
    sent.set(payment.txId, { ...more, isToOurselves });
  }
  return inTransaction(database, async (transaction) => {
    const stored = await recordUnknownPayments(transaction, network, [...sent.values()], at);
    const keys = await keysOfNobody(transaction, network, found);
    const { ids, spends } = await coinsToOurselves(transaction, network, found);
    const waiting = [...keys, ...ids];
    const byNonce = ids.length === 0 ? await handlesToOurselves(transaction, network, found, keys) : [];
    const replaceable = keys.length === 0 ? spends : byNonce;
    return { ...stored, waiting, ...(replaceable.length > 0 && { replaceable }) };
  });
}

function sentPayment({ txId, height, pays, sent, key, data, isToOurselves = false }: RecentPayment): SentPayment[] {
  if (txId === null) return [];
  const handle = key === undefined || data === undefined ? {} : { handle: { keys: [key], data } };
  const paid = pays?.map((one) => ({ ...one, amount: one.amount.toString() })) ?? null;
  return [{ txId, height, pays: paid, ...(sent && { sent }), isToOurselves, ...handle }];
}

/** The handles of payments that no row has reserved, but for those of payments that an operator knows to be made outside. */
async function keysOfNobody(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly RecentPayment[],
): Promise<string[]> {
  const waiting = payments.flatMap(({ txId, key }) => (key === undefined ? [] : [{ txId, key }]));
  if (waiting.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select w.key from unnest(${waiting.map(({ key }) => key)}::text[], ${waiting.map(({ txId }) => txId)}::text[]) as w (key, tx_id)
    where not exists (select from payout_handles h where h.network = ${network} and h.key = w.key and h.released_at is null)
      and not exists (select from unknown_payments u
        where u.network = ${network} and u.tx_id = w.tx_id and u.decision = 'not ours')`.execute(transaction);
  return [...new Set(rows.map(({ key }) => key))];
}

/**
 * What holds a network's payments, as its row has it: since when its blocks were not read to its tip after a restore, and whether its node's
 * mempool speaks against them. `hasBooked`: whether `lookUpBooked` has anything to ask, in the same statement, since an idle network asks it with
 * each look at its tip.
 */
export async function networkHolds(
  { kysely }: Database,
  network: string,
): Promise<{ unread: { at: Date; text: string } | null; isHeld: boolean; hasBooked: boolean }> {
  const row = await kysely
    .selectFrom("followed_networks")
    .select(["unread_since", sql<string>`unread_since::text`.as("text"), "held_since"])
    .select(sql<boolean>`exists (${bookedInNoBlock(network)})`.as("hasBooked"))
    .where("network", "=", network)
    .executeTakeFirst();
  const unread = row?.unread_since == null ? null : { at: row.unread_since, text: row.text };
  return { unread, isHeld: row?.held_since != null, hasBooked: row?.hasBooked === true };
}

/** Says in the row what a network waits for that is read to its tip. */
export async function recordWait({ kysely }: Database, network: string, waitsFor: string): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable("followed_networks")
    .set({ waits_for: waitsFor })
    .where("network", "=", network)
    .where("waits_for", "is distinct from", waitsFor)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Ends what a restore began: the blocks of the network are read to its tip `top`. False where it began anew meanwhile: a database that fell
 * back since that block was stored doesn't have it, or has another `since`.
 */
export async function recordRead(
  { kysely }: Database,
  network: string,
  { top, since }: { top: { height: number; hash: string }; since: string },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable("followed_networks")
    .set({ unread_since: null, waits_for: null })
    .where("network", "=", network)
    .where(sql<boolean>`unread_since = ${since}::timestamptz`)
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
