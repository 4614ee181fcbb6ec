import { sql } from "kysely";
import type { NetworkWallet } from "../../../chains/port.ts";
import { reservedHandle, type PayoutParts, type PayoutRow } from "../store.ts";

/** Records which undecided unknown payments have used a payment's nonce or coins: one of these may be booked as it (engine law 5). */
export async function recordExcluding(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  if (wallet.usesHandle === undefined) return;
  const handle = await reservedHandle(parts.database, payout.id);
  if (handle === null) return;
  const excluding: string[] = [];
  for (const txId of await undecidedBeside(parts, payout))
    if (await wallet.usesHandle(txId, handle)) excluding.push(txId);
  await addExcluding(parts, payout, excluding);
}

/** Records that a payment's bytes are dead beside every undecided unknown payment. */
export async function recordDead(parts: PayoutParts, payout: PayoutRow): Promise<void> {
  await addExcluding(parts, payout, await undecidedBeside(parts, payout));
}

/** Those of its network of which that isn't known yet. */
async function undecidedBeside({ database }: PayoutParts, { id, network }: PayoutRow): Promise<string[]> {
  const { rows } = await sql<{ txId: string }>`
    select u.tx_id as "txId" from unknown_payments u where u.network = ${network} and u.decision is null
      and exists (select from payout_handles h where h.payout_id = ${id} and h.released_at is null and not u.tx_id = any(h.excluded_by))`.execute(
    database.kysely,
  );
  return rows.map(({ txId }) => txId);
}

async function addExcluding({ database }: PayoutParts, { id }: PayoutRow, txIds: readonly string[]): Promise<void> {
  if (txIds.length === 0) return;
  await database.kysely
    .updateTable("payout_handles")
    .set({ excluded_by: sql<string[]>`excluded_by || ${txIds}::text[]` })
    .where("payout_id", "=", id)
    .where("released_at", "is", null)
    .execute();
}
