import { sql } from "kysely";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { NetworkReader, NetworkWallet } from "../../chains/port.ts";
import { confirmationsAt, isCanonical, readTip } from "../../chains/follower/index.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { post } from "../ledger/ledger.ts";
import { bookToOurselves } from "./ledger.ts";

type ToOurselvesParts = {
  database: Database;
  /** A network that is not among them is skipped. */
  wallets: ReadonlyMap<string, Pick<NetworkWallet, "lookup">>;
  readers: ReadonlyMap<string, Pick<NetworkReader, "feeSlug">>;
  /** Confirmations after which a payment of an instrument can't be undone. */
  finalDepthOf(slug: string): number;
  clock: Clock;
  log: Pick<Log, "warn">;
};

type Unsettled = { txId: string; height: number | null; fee: bigint | null; gas: bigint };

/**
 * Books what payments to ourselves have cost that no row knows, as those after an earlier restore, and what those to deposit addresses
 * have brought there, as the gas of sweeps: once a block of ours has them, and nothing where that is undone. Each is over once its block is final.
 */
export async function settlePaymentsToOurselves(parts: ToOurselvesParts, network: string): Promise<void> {
  const wallet = parts.wallets.get(network);
  const feeSlug = parts.readers.get(network)?.feeSlug;
  if (wallet === undefined || feeSlug === undefined) return;
  const { rows } = await sql<Unsettled>`
    select tx_id as "txId", height, fee, case when exists (
        select from deposit_addresses o where o.network = ${network} and o.address = pays->0->>'to' and o.memo is null)
      then (pays->0->>'amount')::numeric else 0 end as gas
    from unknown_payments
    where network = ${network} and decision = 'to ourselves' and settled_at is null and (height is not null or fee is not null)
    order by found_at`.execute(parts.database.kysely);
  for (const one of rows)
    try {
      const cost = await costOf(parts, wallet, { network, feeSlug }, one);
      if (cost !== null) await book(parts, { network, feeSlug }, one, cost);
    } catch (error) {
      // What is compared afterwards doesn't wait for it.
      parts.log.warn({ network, txId: one.txId, err: error }, "the fee of a payment to ourselves could not be booked");
    }
}

type Cost = { feePaid: bigint | null; isFinal: boolean };

/** Null while its node and our tail don't say the same of it. */
async function costOf(
  { database, finalDepthOf }: ToOurselvesParts,
  wallet: Pick<NetworkWallet, "lookup">,
  { network, feeSlug }: { network: string; feeSlug: string },
  { txId, height }: Unsettled,
): Promise<Cost | null> {
  if (height === null) return { feePaid: null, isFinal: false };
  const found = await wallet.lookup(txId);
  if (found.kind !== "mined" || found.height !== height || !(await isCanonical(database, network, found))) return null;
  const depth = confirmationsAt(await readTip(database.kysely, network), height);
  return { feePaid: found.feePaid, isFinal: depth >= finalDepthOf(feeSlug) };
}

async function book(
  { database, clock }: ToOurselvesParts,
  { network, feeSlug }: { network: string; feeSlug: string },
  { txId, height, fee, gas }: Unsettled,
  { feePaid, isFinal }: Cost,
): Promise<void> {
  if (feePaid === fee && !isFinal) return;
  const at = clock.now();
  await inTransaction(database, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("unknown_payments")
      .set({ fee: feePaid, ...(isFinal && { settled_at: at }) })
      .where("network", "=", network)
      .where("tx_id", "=", txId)
      .where("decision", "=", "to ourselves")
      .where("settled_at", "is", null)
      // A reorganisation may have undone it meanwhile.
      .where("height", "is not distinct from", height)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const named = { network, txId, gas: feePaid === null ? 0n : gas };
    await bookToOurselves(transaction, named, { post, at, feeSlug, feePaid: feePaid ?? 0n });
  });
}
