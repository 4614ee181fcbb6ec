import { sql, type Transaction } from "kysely";
import { inTransaction } from "../../db/transaction.ts";
import type { Schema } from "../../db/schema.ts";
import { confirmationsAt, readTip } from "../../chains/follower/index.ts";
import { storeAttempt } from "../payouts/attempts.ts";
import { reverseSweep } from "../payouts/ledger.ts";
import type { PayoutParts } from "../payouts/store.ts";
import { isOpenSweep } from "./open-sweep.ts";

/** A sweep that the chain shows and no row knows; which it is may be found out as long as one is open. */
type FoundSweep = { txId: string; height: number; address: string; slug: string; amount: bigint; isOld: boolean };

type Parts = Pick<PayoutParts, "database" | "wallets" | "clock" | "log" | "finalDepthOf" | "feeSlugOf" | "probe">;

/**
 * Makes sweeps that were made after a restored backup, and that no row knows, those of ours that they are: as a block that nothing can undo
 * shows them. They are watched and booked from there on as any other. What fits none of our sweeps is left to operators, as if nobody had
 * found it.
 */
export async function adoptSweeps(parts: Parts, network: string): Promise<void> {
  const { rows: found } = await sql<FoundSweep>`
    select t.tx_id as "txId", t.height, t.address, t.slug, t.amount, t.found_at < now() - interval '1 day' as "isOld"
    from unknown_sweeps t join followed_networks f on f.network = t.network
    where t.network = ${network} and ${isOpenSweep} and f.unread_since is null
    order by t.height, t.tx_id`.execute(parts.database.kysely);
  if (found.length === 0) return;
  const tip = await readTip(parts.database.kysely, network);
  for (const one of found) {
    if (confirmationsAt(tip, one.height) < parts.finalDepthOf(one.slug)) continue;
    const result = await inTransaction(
      parts.database,
      (transaction) => adopt(parts, transaction, network, one),
      parts.probe,
    );
    const about = { network, txId: one.txId, slug: one.slug, amount: one.amount.toString() };
    if (result === "adopted") parts.log.info(about, "a sweep that no row knew is one of ours, and is booked");
    if (result === "none")
      parts.log.error(
        about,
        "a sweep that no row knew moves what no sweep of ours would; what it brought is a surplus",
      );
  }
}

type Result = "adopted" | "none" | "later";

async function adopt(
  parts: Parts,
  transaction: Transaction<Schema>,
  network: string,
  one: FoundSweep,
): Promise<Result> {
  // As whoever plans sweeps.
  await sql`select pg_advisory_xact_lock(hashtext('sweeps'), hashtext(${network}))`.execute(transaction);
  const open = await transaction
    .selectFrom("unknown_sweeps")
    .select("tx_id")
    .where("network", "=", network)
    .where("tx_id", "=", one.txId)
    .where("height", "=", one.height)
    .where("payout_id", "is", null)
    .where("ended_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (open === undefined) return "later";
  const isCoin = one.slug === parts.feeSlugOf(network);
  const sweepId =
    (await plannedSweep(transaction, network, one, isCoin)) ??
    (await newSweep(transaction, network, one, isCoin, parts.clock.now()));
  if (sweepId === "later" && !one.isOld) return "later";
  const named = transaction.updateTable("unknown_sweeps").where("network", "=", network).where("tx_id", "=", one.txId);
  if (sweepId === null || sweepId === "later") {
    await named.set({ ended_at: sql<Date>`now()` }).execute();
    return "none";
  }
  const payoutId = await makeMove(parts, transaction, network, one, sweepId);
  await named.set({ payout_id: payoutId }).execute();
  return "adopted";
}

/**
 * Whether deposits are what was moved: a token as a whole, and of the coin all but its fee. What is left is less than each of them, so that
 * none of them can still lie there.
 */
function fits(amounts: readonly bigint[], moved: bigint, isCoin: boolean): boolean {
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  const left = sum - moved;
  return isCoin ? left > 0n && left < moved && amounts.every((amount) => left < amount) : left === 0n;
}

/** A sweep of before the backup that this transaction has made. Later while another transaction of it may still reach the chain. */
async function plannedSweep(
  transaction: Transaction<Schema>,
  network: string,
  { address, slug, amount }: FoundSweep,
  isCoin: boolean,
): Promise<bigint | "later" | null> {
  // Before they are looked at: what is reserved or signed meanwhile doesn't change the row.
  await sql`
    select from payouts p join sweeps s on s.id = p.sweep_id
    where s.network = ${network} and s.address = ${address} and s.slug = ${slug} and s.state <> 'done'
    order by p.id for update of p`.execute(transaction);
  const { rows } = await sql<{ id: bigint; isAlive: boolean }>`
    select s.id, exists (select from payouts p where p.sweep_id = s.id and p.purpose = 'sweep' and (
        p.state not in ('intended', 'review')
        or exists (select from payout_attempts a where a.payout_id = p.id and a.status <> 'dead')
        or exists (select from payout_handles h where h.payout_id = p.id and h.released_at is null)
        or exists (select from payout_cancellations c where c.payout_id = p.id and c.status = 'prepared'))) as "isAlive"
    from sweeps s where s.network = ${network} and s.address = ${address} and s.slug = ${slug} and s.state <> 'done'
    order by s.id for update of s`.execute(transaction);
  let result: "later" | null = null;
  for (const { id, isAlive } of rows) {
    const deposits = await transaction.selectFrom("deposits").select("amount").where("sweep_id", "=", id).execute();
    const isIt = fits(
      deposits.map((deposit) => deposit.amount),
      amount,
      isCoin,
    );
    if (isIt && !isAlive) return id;
    // What it has replaced is dead soon.
    if (isIt) result = "later";
  }
  return result;
}

/** A sweep of the first deposits that were not swept by the rows. Later while one of them is not credited yet. */
async function newSweep(
  transaction: Transaction<Schema>,
  network: string,
  { address, slug, amount, height }: FoundSweep,
  isCoin: boolean,
  at: Date,
): Promise<bigint | "later" | null> {
  const deposits = await transaction
    .selectFrom("deposits")
    .select(["id", "amount", "credited_at as creditedAt"])
    .where("network", "=", network)
    .where("address", "=", address)
    .where("slug", "=", slug)
    .where("sweep_id", "is", null)
    .where("review_reason", "is", null)
    .where("block_height", "<", height)
    .orderBy("block_height")
    .orderBy("id")
    .forUpdate()
    .execute();
  const credited = deposits.filter(({ creditedAt }) => creditedAt !== null);
  const count = credited.findIndex((_, last) =>
    fits(
      credited.slice(0, last + 1).map((deposit) => deposit.amount),
      amount,
      isCoin,
    ),
  );
  if (count < 0) return credited.length < deposits.length ? "later" : null;
  const swept = credited.slice(0, count + 1);
  const { index } = await transaction
    .selectFrom("deposit_addresses")
    .select("derivation_index as index")
    .where("network", "=", network)
    .where("address", "=", address)
    .where("memo", "is", null)
    .executeTakeFirstOrThrow();
  const sum = swept.reduce((total, deposit) => total + deposit.amount, 0n);
  const { id } = await transaction
    .insertInto("sweeps")
    .values({ network, address, derivation_index: index, slug, amount: sum, state: "moving", created_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  const ids = swept.map((deposit) => deposit.id);
  await transaction.updateTable("deposits").set({ sweep_id: id }).where("id", "in", ids).execute();
  return id;
}

/** The move of a sweep is that transaction: its bytes are unknown, so it can be looked up and never be sent again. */
async function makeMove(
  { clock, wallets }: Parts,
  transaction: Transaction<Schema>,
  network: string,
  { txId, slug, amount }: FoundSweep,
  sweepId: bigint,
): Promise<bigint> {
  const at = clock.now();
  const wallet = wallets.get(network);
  if (wallet === undefined) throw new Error(`no wallet can sweep ${network}`);
  // Its gas is there, or was: nothing more is sent for it.
  await sql`
    update payouts p set state = 'returned', review_reason = null, review_at = null, next_attempt_at = null
    where p.sweep_id = ${sweepId} and p.purpose = 'gas' and p.state in ('intended', 'review')
      and not exists (select from payout_attempts a where a.payout_id = p.id and a.status <> 'dead')
      and not exists (select from payout_handles h where h.payout_id = p.id and h.released_at is null)`.execute(
    transaction,
  );
  const moving = { state: "moving", next_attempt_at: null, failures: 0, review_reason: null, review_at: null } as const;
  await transaction.updateTable("sweeps").set(moving).where("id", "=", sweepId).execute();
  const { rows } = await sql<{ id: bigint }>`
    insert into payouts as p (sweep_id, purpose, network, slug, to_address, amount, state, next_attempt_at, created_at)
    values (${sweepId}, 'sweep', ${network}, ${slug}, ${wallet.hotAddress()}, ${amount}, 'broadcast', now(), ${at})
    on conflict (sweep_id) where purpose = 'sweep' do update set state = 'broadcast', amount = excluded.amount, review_reason = null,
      review_at = null, stuck_at = null, stuck_reason = null, short_since = null, queued_at = null, failures = 0, next_attempt_at = now()
    returning p.id`.execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new Error(`sweep ${sweepId} has no payment`);
  const found = { txId, raw: "", at, status: "broadcast", excludesReplaced: false } as const;
  await storeAttempt(transaction, { id: row.id, network, amount }, found);
  return row.id;
}

/**
 * Undoes that where the blocks above `height` are undone: what was booked of such a move is reversed, and its sweep is still to be made, or is found
 * again in another block.
 */
export async function undoFoundSweeps(
  transaction: Transaction<Schema>,
  network: string,
  height: number,
  at: Date,
): Promise<void> {
  const undone = await transaction
    .updateTable("unknown_sweeps as t")
    .from("payouts as p")
    .set({ payout_id: null })
    .whereRef("p.id", "=", "t.payout_id")
    .where("t.network", "=", network)
    .where("t.height", ">", height)
    .returning(["p.id", "p.sweep_id as sweepId", "t.tx_id as txId"])
    .execute();
  for (const { id, sweepId, txId } of undone.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    await reverseSweep(transaction, id, at);
    await transaction.deleteFrom("payout_attempts").where("payout_id", "=", id).where("tx_id", "=", txId).execute();
    const intended = {
      state: "intended",
      review_reason: null,
      review_at: null,
      mined_height: null,
      mined_hash: null,
    } as const;
    const due = { next_attempt_at: sql<Date>`now()` };
    await transaction
      .updateTable("payouts")
      .set({ ...intended, ...due })
      .where("id", "=", id)
      .execute();
    await transaction.updateTable("sweeps").set({ state: "moving" }).where("id", "=", sweepId).execute();
  }
}
