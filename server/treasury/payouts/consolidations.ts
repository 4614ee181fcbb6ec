import { sql } from "kysely";
import type { NetworkWallet } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { reservedOn, type PayoutRow } from "./store.ts";

type Consolidation = { id: bigint; state: PayoutRow["state"]; height: number | null; txIds: string[] };

/** The payments to ourselves that were made since a network waits to be read after a restore, the oldest first. */
export async function readConsolidations({ kysely }: Database, network: string): Promise<Consolidation[]> {
  const { rows } = await sql<Consolidation>`
    select p.id, p.state, p.mined_height as height, array(
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

/** `FollowedPayments.consolidate`. The next one begins once the one before is in a block: more coins than one takes are moved in several. */
export async function consolidate(database: Database, wallet: NetworkWallet, slug: string): Promise<string | null> {
  if (wallet.chooseConsolidation === undefined) return null;
  const { networkTitle: network } = wallet;
  await releaseUnsigned(database, network);
  const made = await readConsolidations(database, network);
  const open = made.find(({ state }) => state !== "mined" && state !== "final");
  if (open !== undefined && (open.state !== "intended" || open.txIds.length > 0)) return waitsForOpen(open);
  const reserved = await reservedOn(database, network, wallet.hotAddress());
  const chosen = await wallet.chooseConsolidation(reserved, firstHeightOf(made), minedOf(made));
  if (chosen !== null) {
    if (open === undefined) await intend(database, wallet, { slug, amount: chosen.amount });
    return "the payment to ourselves that is signed next, so that nobody can send what was signed since the backup";
  }
  // What it would have moved is gone, or it has reserved it.
  if (open !== undefined && !(await withdraw(database, open.id))) return waitsForOpen(open);
  const unsettled = made.find(({ id, state }) => state === "mined" && id !== open?.id);
  return unsettled === undefined ? null : waitsForOpen(unsettled);
}

const waitsForOpen = ({ id, txIds }: Consolidation): string =>
  `payment ${id} to ourselves${txIds.length === 0 ? "" : ` (${txIds.join(", ")})`}, after which nobody can send what was signed since the backup`;

/**
 * Frees the coins that were reserved for payments of which nothing was signed before the backup: what was signed since may spend them, or they were
 * freed since for another payment.
 */
async function releaseUnsigned({ kysely }: Database, network: string): Promise<void> {
  await sql`
    delete from payout_handles h using payouts p
    where h.network = ${network} and h.released_at is null and p.id = h.payout_id and p.state in ('intended', 'review')
      and p.purpose <> 'consolidation' and not exists (select from payout_attempts a where a.payout_id = p.id)`.execute(
    kysely,
  );
}

async function intend(
  database: Database,
  wallet: NetworkWallet,
  { slug, amount }: { slug: string; amount: bigint },
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await sql`
      insert into payouts (purpose, network, slug, to_address, amount, state, next_attempt_at, created_at)
      values ('consolidation', ${wallet.networkTitle}, ${slug}, ${wallet.hotAddress()}, ${amount}, 'intended', now(), now())
      on conflict do nothing`.execute(transaction);
  });
}

async function withdraw({ kysely }: Database, id: bigint): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable("payouts")
    .set({ state: "returned", next_attempt_at: null, stuck_at: null, stuck_reason: null })
    .where("id", "=", id)
    .where("state", "=", "intended")
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom("payout_handles")
            .select("id")
            .whereRef("payout_id", "=", "payouts.id")
            .where("released_at", "is", null),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
