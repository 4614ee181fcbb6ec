import { sql, type Transaction } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { Handle, NetworkWallet, ObservedBlock, RecentPayment } from "../port.ts";

/**
 * The handles of what waits on the lowest of these nonces: the chain takes that one first. None unless nothing but payments to ourselves waits on
 * each of them.
 */
export async function handlesToOurselves(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly RecentPayment[],
  keys: readonly string[],
): Promise<Handle[]> {
  let lowest: Handle[] = [];
  for (const key of keys) {
    const handles = await handlesOnKey(transaction, network, payments, key);
    if (handles.length === 0) return [];
    if (lowest.length === 0 || nonceOf(handles) < nonceOf(lowest)) lowest = handles;
  }
  return lowest;
}

const nonceOf = ([handle]: readonly Handle[]): number => Number(handle?.data["nonce"]);

/** None unless each of it is shown whole, and is decided to be to ourselves. */
async function handlesOnKey(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly RecentPayment[],
  key: string,
): Promise<Handle[]> {
  const there = payments.filter((payment) => payment.key === key);
  const known = there.flatMap(({ txId, data }) =>
    txId === null || data === undefined ? [] : [{ txId, handle: { keys: [key], data } }],
  );
  const ids = [...new Set(known.map(({ txId }) => txId))];
  if (ids.length === 0 || known.length !== there.length || there.some(({ isToOurselves }) => isToOurselves !== true))
    return [];
  const { decided } = await transaction
    .selectFrom("unknown_payments")
    .select((build) => build.fn.countAll().as("decided"))
    .where("network", "=", network)
    .where("tx_id", "in", ids)
    .where("decision", "=", "to ourselves")
    .where("height", "is", null)
    .executeTakeFirstOrThrow();
  return Number(decided) === ids.length ? known.map(({ handle }) => handle) : [];
}

/**
 * Payments to ourselves in no block whose handles the node doesn't name, by their ids: until a block has one of them, or another with its coins, bytes
 * that spend the same may come instead. One over whose coins we have made another such payment is left out, which is waited for then. `spends`: each
 * excludes others over its own coins alone, so that those whose coins are known can be replaced one by one.
 */
export async function coinsToOurselves(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly RecentPayment[],
): Promise<{ ids: string[]; spends: Handle[] }> {
  const pending = new Map<string, Handle | undefined>();
  for (const { txId, height, key, spends } of payments)
    if (txId !== null && height === null && key === undefined) pending.set(txId, spends);
  if (pending.size === 0) return { ids: [], spends: [] };
  const rows = await transaction
    .selectFrom("unknown_payments")
    .select("tx_id as txId")
    .where("network", "=", network)
    .where("tx_id", "in", [...pending.keys()])
    .where("decision", "=", "to ourselves")
    .execute();
  const moved = await keysOfConsolidations(transaction, network);
  const isTakenOver = (spends: Handle | undefined) => spends?.keys.every((key) => moved.has(key)) === true;
  const waiting = rows.filter(({ txId }) => !isTakenOver(pending.get(txId)));
  return { ids: waiting.map(({ txId }) => txId), spends: waiting.flatMap(({ txId }) => pending.get(txId) ?? []) };
}

async function keysOfConsolidations(transaction: Transaction<Schema>, network: string): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom("payout_handles as h")
    .innerJoin("payouts as p", "p.id", "h.payout_id")
    .select("h.key")
    .where("h.network", "=", network)
    .where("h.released_at", "is", null)
    .where("p.network", "=", network)
    .where("p.purpose", "=", "consolidation")
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/**
 * Stores what deposit addresses of ours have moved to the hot wallet by transactions that no row knows, and that are not older than this
 * database: sweeps made after the backup that was restored. The treasury finds out which sweep each is.
 */
export async function recordUnknownSweeps(
  transaction: Transaction<Schema>,
  network: string,
  { height, moved = [] }: ObservedBlock,
  { at, log }: { at: Date; log: Pick<Log, "warn"> },
): Promise<void> {
  if (moved.length === 0) return;
  const { rows } = await sql<{ txId: string }>`
    insert into unknown_sweeps (network, tx_id, height, address, slug, amount, found_at)
    select ${network}, m.tx_id, ${height}::integer, m.address, m.slug, m.amount, ${at}
    from unnest(${moved.map(({ txId }) => txId)}::text[], ${moved.map(({ fromAddress }) => fromAddress)}::text[],
      ${moved.map(({ slug }) => slug)}::text[], ${moved.map(({ amount }) => amount)}::numeric[]) as m (tx_id, address, slug, amount)
    where exists (select from deposit_addresses o where o.network = ${network} and o.address = m.address and o.memo is null)
      and not exists (select from payout_attempts a where a.network = ${network} and a.tx_id = m.tx_id)
      and ${height}::integer > (select first_height from followed_networks where network = ${network})
    on conflict do nothing
    returning tx_id as "txId"`.execute(transaction);
  const txIds = rows.map(({ txId }) => txId);
  if (txIds.length > 0)
    log.warn({ network, txIds }, "the chain shows sweeps that no row knows; they are booked once they are final");
}

/** Those of blocks that are undone are found again in others. */
export async function forgetSweeps(transaction: Transaction<Schema>, network: string, above: number): Promise<void> {
  await transaction.deleteFrom("unknown_sweeps").where("network", "=", network).where("height", ">", above).execute();
}

/** What does not change is written again after this: whoever reads it asks how old it is. */
const WRITE_SECONDS = 30;

/**
 * Says which block has a payment again that was booked and whose block was undone, also where that was taken back meanwhile: no block is read twice.
 */
export async function noteBlock(
  transaction: Transaction<Schema>,
  network: string,
  { sent = [], height }: ObservedBlock,
): Promise<void> {
  if (sent.length === 0) return;
  await transaction
    .updateTable("unknown_payments")
    .set({ height })
    .where("network", "=", network)
    .where("tx_id", "in", [...sent])
    .where("height", "is", null)
    .where((is) => is.or([is("decision", "=", "booked"), is("decision", "is", null)]))
    .execute();
}

/** The payments in no block that are booked, or undecided after they were. */
export const bookedInNoBlock = (network: string) => sql<{ txId: string }>`
  select u.tx_id as "txId" from unknown_payments u where u.network = ${network} and u.height is null and (
    (u.decision is null and u.unbooked_payout_id is not null)
    or (u.decision = 'booked' and exists (select from payouts p where p.id = u.payout_id and p.state in ('broadcast', 'mined'))))`;

/** Asks the node for those payments: an operator may say that one is gone while no node shows it. */
export async function lookUpBooked(
  { database, log }: { database: Database; log: Pick<Log, "warn"> },
  wallet: NetworkWallet,
): Promise<void> {
  const { networkTitle: network } = wallet;
  const { rows } = await bookedInNoBlock(network).execute(database.kysely);
  for (const { txId } of rows) {
    const found = await wallet.lookup(txId).catch((error: unknown) => {
      log.warn({ network, txId, err: error }, "a booked payment could not be looked up");
      return null;
    });
    const isAbsent = found !== null && (found.kind === "absent" || found.kind === "replaced");
    await sql`
      update unknown_payments set absent_at = case when ${isAbsent}::boolean then now() end
      where network = ${network} and tx_id = ${txId} and height is null and ((absent_at is not null) <> ${isAbsent}::boolean
        or absent_at < now() - make_interval(secs => ${WRITE_SECONDS}))`.execute(database.kysely);
  }
}
