import { sql, type Transaction } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import {
  FeesOverCapError,
  NodeBehindError,
  NotEnoughFundsError,
  PaymentRefusedError,
  type Handle,
  type NetworkWallet,
} from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { payoutPauseSeconds } from "./failures.ts";
import { nextNonceOnChain, nonceOf } from "./nonces.ts";
import { NOT_STUCK } from "./replacement/stuck.ts";
import { hasNothingAlive, lockPayout, reservedOn, reserveHandle, type PayoutRow } from "./store.ts";

type Consolidation = {
  id: bigint;
  state: PayoutRow["state"];
  height: number | null;
  txIds: string[];
  reviewReason: string | null;
  lastError: string | null;
};

/** The payments to ourselves that were made since a network waits to be read after a restore, the oldest first. */
export async function readConsolidations({ kysely }: Database, network: string): Promise<Consolidation[]> {
  const { rows } = await sql<Consolidation>`
    select p.id, p.state, p.mined_height as height, p.review_reason as "reviewReason", p.last_error as "lastError", array(
      select a.tx_id from payout_attempts a where a.payout_id = p.id and a.status <> 'dead' order by a.n) as "txIds"
    from payouts p join followed_networks f on f.network = p.network
    where p.network = ${network} and p.purpose = 'consolidation' and p.created_at >= f.unread_since and p.state <> 'returned'
    order by p.id`.execute(kysely);
  return rows;
}

/** The first block that has one of them: what blocks from there on brought was not there at the restore. */
export const firstHeightOf = (made: readonly Consolidation[]): number | null => {
  const heights = made.flatMap(({ height }) => height ?? []);
  return heights.length === 0 ? null : Math.min(...heights);
};

/** How many of them are in blocks. */
export const minedOf = (made: readonly Consolidation[]): number => made.filter(({ height }) => height !== null).length;

type Parts = { database: Database; log: Pick<Log, "warn"> };
type Chosen = Awaited<ReturnType<NonNullable<NetworkWallet["chooseConsolidation"]>>>;

/** `FollowedPayments.consolidate`. The next one begins once the one before is in a block: more coins than one takes are moved in several. */
export async function consolidate(parts: Parts, wallet: NetworkWallet, slug: string): Promise<string | null> {
  if (wallet.chooseConsolidation === undefined) return null;
  const { database } = parts;
  const { networkTitle: network } = wallet;
  await releaseUnsigned(database, network);
  const made = await readConsolidations(database, network);
  const open = made.find(({ state }) => state !== "mined" && state !== "final");
  if (open !== undefined && (open.state !== "intended" || open.txIds.length > 0)) return waitsForOpen(open);
  const pause = open === undefined ? await pauseAfterFailed(database, network) : null;
  if (pause !== null) return pause;
  const chosen = await choose(parts, wallet, made);
  if (typeof chosen === "string") return chosen;
  if (chosen !== null) {
    if (open === undefined) await intend(database, wallet, { slug, amount: chosen.amount });
    return "the payment to ourselves that is signed next, so that nobody can send what was signed since the backup";
  }
  // What it would have moved is gone, or it has reserved it.
  if (open !== undefined && !(await withdrawConsolidation(database, open.id))) return waitsForOpen(open);
  const unsettled = made.find(({ id, state }) => state === "mined" && id !== open?.id);
  return unsettled === undefined ? null : waitsForOpen(unsettled);
}

/**
 * `FollowedPayments.takeOver`. Its handle is reserved with the row, so that nothing else is signed there; whichever of the two a block takes pays
 * nobody.
 */
export async function takeOver(
  parts: Parts,
  wallet: NetworkWallet,
  slug: string,
  waiting: readonly Handle[],
): Promise<string | null> {
  const { database } = parts;
  const { networkTitle: network } = wallet;
  await releaseUnsigned(database, network);
  const made = await readConsolidations(database, network);
  const open = made.find(({ state }) => state !== "mined" && state !== "final");
  if (open !== undefined && (open.state !== "intended" || open.txIds.length > 0)) return null;
  const pause = open === undefined ? await pauseAfterFailed(database, network) : null;
  if (pause !== null) return pause;
  const chosen = await said(parts, network, async () => (await wallet.chooseTakeover?.(waiting)) ?? null);
  if (chosen === null || typeof chosen === "string") return chosen;
  // A node's word doesn't make us sign above what our own blocks show.
  const own = nonceOf(chosen.handle);
  if (own !== null && (await nextNonceOnChain(parts, wallet, own.address)) !== own.nonce) return null;
  if (!(await intendWith(database, wallet, { slug, ...chosen }))) return null;
  return `the payment to ourselves that is signed next, in the place of one that waits for a block (${chosen.handle.keys.join(", ")})`;
}

/** As a text why none can be chosen now. */
async function choose(parts: Parts, wallet: NetworkWallet, made: readonly Consolidation[]): Promise<Chosen | string> {
  const { networkTitle: network } = wallet;
  const reserved = await reservedOn(parts.database, network, wallet.hotAddress());
  return said(
    parts,
    network,
    async () => (await wallet.chooseConsolidation?.(reserved, firstHeightOf(made), minedOf(made))) ?? null,
  );
}

async function said({ log }: Parts, network: string, choosing: () => Promise<Chosen>): Promise<Chosen | string> {
  try {
    return await choosing();
  } catch (error) {
    const isSaid = [FeesOverCapError, NodeBehindError, NotEnoughFundsError, PaymentRefusedError].some(
      (kind) => error instanceof kind,
    );
    if (isSaid && error instanceof Error) return `a payment to ourselves, which can't be made now: ${error.message}`;
    // What a client says of its node may hold the node's address, and a key in it.
    log.warn({ network, err: error }, "a payment to ourselves could not be chosen");
    return "a payment to ourselves, for which its node gives no usable answer (the log has its error)";
  }
}

const waitsForOpen = ({ id, txIds, reviewReason, lastError }: Consolidation): string => {
  const why = [reviewReason, lastError].filter((text) => text !== null).join(": ");
  const details = [txIds.join(", "), why].filter((text) => text !== "").join("; ");
  return `payment ${id} to ourselves${details === "" ? "" : ` (${details})`}, after which nobody can send what was signed since the backup`;
};

/** Each that failed makes the next wait longer; null where none has, or it has waited. */
async function pauseAfterFailed({ kysely }: Database, network: string): Promise<string | null> {
  const { rows } = await sql<{ id: bigint; why: string; count: number; endedAt: Date; now: Date }>`
    select p.id, concat_ws(': ', p.review_reason, p.last_error) as why, count(*) over ()::int as count, p.review_at as "endedAt", now()
    from payouts p join followed_networks f on f.network = p.network
    where p.network = ${network} and p.purpose = 'consolidation' and p.created_at >= f.unread_since
      and p.state = 'returned' and p.review_at is not null
    order by p.review_at desc limit 1`.execute(kysely);
  const [last] = rows;
  if (last === undefined) return null;
  const nextAt = new Date(last.endedAt.getTime() + payoutPauseSeconds(last.count) * 1_000);
  if (nextAt <= last.now) return null;
  return `the next payment to ourselves, at ${nextAt.toISOString()}: nothing came of payment ${last.id} (${last.why})`;
}

/**
 * Frees the coins that were reserved for payments of which nothing was signed before the backup: what was signed since may spend them, or they were
 * freed since for another payment.
 */
async function releaseUnsigned({ kysely }: Database, network: string): Promise<void> {
  await sql`
    delete from payout_handles h using payouts p
    where h.network = ${network} and h.released_at is null and p.id = h.payout_id and p.state in ('intended', 'review')
      and p.purpose <> 'consolidation' and not exists (select from payout_attempts a where a.payout_id = p.id)
      and not exists (select from payout_cancellations c where c.payout_id = p.id and c.status = 'prepared')`.execute(
    kysely,
  );
}

async function intend(
  database: Database,
  wallet: NetworkWallet,
  { slug, amount }: { slug: string; amount: bigint },
): Promise<void> {
  await inTransaction(database, (transaction) => insertIntent(transaction, wallet, { slug, amount }));
}

async function insertIntent(
  transaction: Transaction<Schema>,
  wallet: NetworkWallet,
  { slug, amount }: { slug: string; amount: bigint },
): Promise<void> {
  await sql`
    insert into payouts (purpose, network, slug, to_address, amount, state, next_attempt_at, created_at)
    values ('consolidation', ${wallet.networkTitle}, ${slug}, ${wallet.hotAddress()}, ${amount}, 'intended', now(), now())
    on conflict do nothing`.execute(transaction);
}

/**
 * The same with its handle, or that for one of which nothing was signed yet, which takes the amount as well; false where there is none, or another
 * payment has the handle.
 */
async function intendWith(
  database: Database,
  wallet: NetworkWallet,
  { slug, amount, handle }: { slug: string; amount: bigint; handle: Handle },
): Promise<boolean> {
  const network = wallet.networkTitle;
  return inTransaction(database, async (transaction) => {
    await insertIntent(transaction, wallet, { slug, amount });
    const { rows } = await sql<{ id: bigint; isNew: boolean }>`
      select id, created_at = now() as "isNew" from payouts p
      where network = ${network} and purpose = 'consolidation' and state = 'intended'
        and not exists (select from payout_attempts a where a.payout_id = p.id and a.status <> 'dead')
        and not exists (select from payout_handles h where h.payout_id = p.id and h.released_at is null)
      for update of p`.execute(transaction);
    const [row] = rows;
    if (row === undefined) return false;
    const { id, isNew } = row;
    const isReserved = await reserveHandle(transaction, { id, network }, handle);
    if (isReserved) await transaction.updateTable("payouts").set({ amount }).where("id", "=", id).execute();
    else if (isNew) await transaction.deleteFrom("payouts").where("id", "=", id).execute();
    return isReserved;
  });
}

/**
 * Ends one of which nothing can reach the chain any more; false where something may. It owes nobody anything: while its network still waits
 * for one, the next is begun in its place.
 */
export function withdrawConsolidation(database: Database, id: bigint): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    // First: a handle that is reserved meanwhile doesn't change the row, so that the update alone would not look for it again.
    await lockPayout(transaction, id);
    const { numUpdatedRows } = await transaction
      .updateTable("payouts")
      .set({ state: "returned", next_attempt_at: null, ...NOT_STUCK })
      .where("id", "=", id)
      .where("state", "in", ["intended", "review"])
      .where(hasNothingAlive)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}
