import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import type { ObservedTransfer } from "../port.ts";
import { usesOf, type UseOf } from "./address-uses.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import { archivedUses, returnStillArchived, type ReviewOf } from "./archived-deposits.ts";
import { chunksOf } from "./chunks.ts";

/** The row of a deposit, without the place on the chain where it was seen. */
export type RecognisedDeposit = {
  network: string;
  tx_id: string;
  output_index: number;
  address: string;
  slug: string;
  amount: bigint;
  order_id: string | null;
  exchange_id: bigint | null;
  review_reason: string | null;
  detected_at: Date;
};

type Recognised = {
  /** Null for a transfer that is no deposit. */
  depositOf(transfer: ObservedTransfer): RecognisedDeposit | null;
  /** The transactions that may bring deposits. */
  txIds: ReadonlySet<string>;
};

/** The smallest deposit of a coin that counts, in its minor units; null while it has no price. */
export type MinDeposit = (slug: string) => bigint | null;

/**
 * Finds out for all transfers of a block which of them are deposits: whatever many of them share (an address, an order, a transaction)
 * is looked up once.
 */
export async function recogniseDeposits(
  transaction: Transaction<Schema>,
  network: string,
  transfers: readonly ObservedTransfer[],
  { at, minDeposit }: { at: Date; minDeposit: MinDeposit },
): Promise<Recognised> {
  if (transfers.length === 0) return { depositOf: () => null, txIds: new Set() };
  const findUse = await usesOf(transaction, network, transfers);
  const reviewOf = await returnStillArchived(transaction, network, transfers, findUse);
  return recogniseUsed(transaction, { network, transfers, at, findUse, reviewOf, minDeposit });
}

/**
 * The same for a mempool. What needs review, or pays an archived order, is stored once a block has it (`others`): before, whoever sends it
 * can take it back, and make the next.
 */
export async function recogniseWaiting(
  transaction: Transaction<Schema>,
  network: string,
  transfers: readonly ObservedTransfer[],
  at: Date,
): Promise<{ fresh: RecognisedDeposit[]; others: RecognisedDeposit[] }> {
  const findUse = await usesOf(transaction, network, transfers);
  const isArchived = await archivedUses(transaction, transfers, findUse);
  const plain = { reviewOf: () => null, minDeposit: () => null };
  const { depositOf } = await recogniseUsed(transaction, { network, transfers, at, findUse, ...plain });
  const fresh: RecognisedDeposit[] = [];
  const others: RecognisedDeposit[] = [];
  for (const transfer of transfers) {
    const deposit = depositOf(transfer);
    if (deposit === null) continue;
    const list = deposit.review_reason === null && !isArchived(transfer) ? fresh : others;
    list.push(deposit);
  }
  return { fresh, others };
}

type Used = {
  network: string;
  transfers: readonly ObservedTransfer[];
  at: Date;
  findUse: UseOf;
  reviewOf: ReviewOf;
  minDeposit: MinDeposit;
};

async function recogniseUsed(
  transaction: Transaction<Schema>,
  { network, transfers, at, findUse, reviewOf, minDeposit }: Used,
): Promise<Recognised> {
  const shared = await sharedAddresses(transaction, network, transfers);
  const isOurs = (transfer: ObservedTransfer): boolean =>
    transfer.amount > 0n && (findUse(transfer) !== null || shared.has(transfer.toAddress));
  const txIds = new Set<string>();
  for (const transfer of transfers) if (isOurs(transfer)) txIds.add(transfer.txId);
  const gas = await gasPaymentsIn(transaction, network, txIds);
  return {
    txIds,
    depositOf: (transfer) => {
      if (!isOurs(transfer) || gas.has(transfer.txId)) return null;
      const use = findUse(transfer);
      return {
        network,
        tx_id: transfer.txId,
        output_index: transfer.outputIndex,
        address: transfer.toAddress,
        slug: transfer.slug,
        amount: transfer.amount,
        order_id: use?.orderId ?? null,
        exchange_id: use?.exchangeId ?? null,
        review_reason:
          transfer.reviewReason ??
          dustOf(transfer, use === null ? REVIEW_REASON.noOrder : reviewOf(transfer), minDeposit),
        detected_at: at,
      };
    },
  };
}

/** Coins without an order, and other coins than an archived order's, wait for nobody where they are too small to count. */
function dustOf({ slug, amount }: ObservedTransfer, reason: string | null, minDeposit: MinDeposit): string | null {
  if (reason !== REVIEW_REASON.noOrder && reason !== REVIEW_REASON.wrongAsset) return reason;
  const min = minDeposit(slug);
  return min !== null && amount < min ? REVIEW_REASON.dust : reason;
}

/** Transactions of the treasury that pay for the gas of a sweep, also of one that no row knows: they are not deposits. */
async function gasPaymentsIn(
  transaction: Transaction<Schema>,
  network: string,
  txIds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const gas = new Set<string>();
  for (const some of chunksOf(txIds)) {
    const own = await transaction
      .selectFrom("payout_attempts")
      .innerJoin("payouts", "payouts.id", "payout_attempts.payout_id")
      .select("payout_attempts.tx_id")
      .where("payout_attempts.network", "=", network)
      .where(sql<boolean>`payout_attempts.tx_id = any(${some}::text[])`)
      .where("payouts.purpose", "=", "gas")
      .execute();
    const unknown = await transaction
      .selectFrom("unknown_payments")
      .select("tx_id")
      .where("network", "=", network)
      .where(sql<boolean>`tx_id = any(${some}::text[])`)
      .where("decision", "=", "to ourselves")
      .execute();
    for (const row of [...own, ...unknown]) gas.add(row.tx_id);
  }
  return gas;
}

/** Addresses of ours where only the memo identifies the order: a deposit without it, or with a wrong one, needs review. */
async function sharedAddresses(
  transaction: Transaction<Schema>,
  network: string,
  transfers: readonly ObservedTransfer[],
): Promise<ReadonlySet<string>> {
  const addresses = new Set(transfers.flatMap(({ memo, toAddress }) => (memo === undefined ? [] : [toAddress])));
  const shared = new Set<string>();
  for (const some of chunksOf(addresses)) {
    const { rows } = await sql<{ address: string }>`
      select asked.address from unnest(${some}::text[]) as asked (address) where exists (
        select 1 from deposit_addresses d where d.network = ${network} and d.address = asked.address and d.memo is not null)`.execute(
      transaction,
    );
    for (const row of rows) shared.add(row.address);
  }
  return shared;
}
