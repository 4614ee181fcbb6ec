import { sql, type Transaction } from "kysely";
import { WHOLE_BPS } from "#contract/money.ts";
import type { Schema } from "../db/schema.ts";
import { pairOf, type ExchangeRow, type LiquidityParts } from "./store.ts";

/** What a partner says that it has paid. */
export type Claim = { txId: string; amount: bigint };

/** `amount` of a review is what the chain shows, where an operator may accept it; else null. */
export type Delivery =
  | { kind: "paid"; amount: bigint }
  | { kind: "not_yet" }
  | { kind: "review"; reason: string; amount: bigint | null };

/** Nodes may lag behind a partner. */
const NODE_LAG_MS = 900_000;
/** A payment that no block takes for so long may never be in one. */
const PENDING_MS = 86_400_000;
/** Partners deliver at the market's price: by more than this share, in hundredths of a percent, the market rarely leaves a quote. */
const MAX_DEVIATION_BPS = 500n;

const review = (reason: string, amount: bigint | null = null): Delivery => ({ kind: "review", reason, amount });

/**
 * Compares a payment that a partner reports with the chain, where we run a node that sees it: only what is in a block since the exchange was
 * opened counts. Elsewhere the partner's report stands, if it says about what was expected.
 */
export async function observeDelivery(parts: LiquidityParts, row: ExchangeRow, claim: Claim): Promise<Delivery> {
  const arrived = await arrivedOf(parts, row, claim);
  if (arrived.kind !== "paid") return arrived;
  const deviation = arrived.amount > row.expected ? arrived.amount - row.expected : row.expected - arrived.amount;
  return deviation * WHOLE_BPS > row.expected * MAX_DEVIATION_BPS
    ? review("it delivered another amount than was expected", arrived.amount)
    : arrived;
}

async function arrivedOf(parts: LiquidityParts, row: ExchangeRow, claim: Claim): Promise<Delivery> {
  const { to } = pairOf(parts, row);
  const [reader, wallet] = [parts.readers.get(to.networkTitle), parts.wallets.get(to.networkTitle)];
  if (reader === undefined || wallet === undefined) return { kind: "paid", amount: claim.amount };
  const found = await wallet.lookup(claim.txId);
  if (found.kind !== "mined") {
    const waitedMs = Date.now() - (row.finish_reported_at ?? new Date()).getTime();
    if (waitedMs <= (found.kind === "pending" ? PENDING_MS : NODE_LAG_MS)) return { kind: "not_yet" };
    if (found.kind === "absent" && wallet.seesOwnOnly === true) return { kind: "paid", amount: claim.amount };
    return review("our node has its transaction in no block");
  }
  if (row.opened_height !== null && found.height <= row.opened_height)
    return review("its transaction is older than the exchange");
  if (!found.succeeded) return review("its transaction does not pay the customer");
  if (wallet.seesOwnOnly === true) return { kind: "paid", amount: claim.amount };
  const block = await reader.blockAt(found.height);
  if (block === null) return { kind: "not_yet" };
  const paid = block.transfers
    .filter(
      ({ txId, toAddress, slug, memo }) =>
        txId === claim.txId && toAddress === row.to_address && slug === to.slug && (memo ?? null) === row.to_memo,
    )
    .reduce((sum, { amount }) => sum + amount, 0n);
  return paid > 0n ? { kind: "paid", amount: paid } : review("its transaction does not pay the customer");
}

/**
 * Whether a transaction is a payment of ours, or what another exchange has paid to the same recipient: a partner may pay several recipients at
 * once. Holds the transaction's id until the end, so that of two exchanges that name it one is first.
 */
export async function isOtherPayment(
  transaction: Transaction<Schema>,
  parts: LiquidityParts,
  row: ExchangeRow,
  txId: string,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${`delivery ${txId}`}))`.execute(transaction);
  const { networkTitle } = pairOf(parts, row).to;
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from payout_attempts where network = ${networkTitle} and tx_id = ${txId})
      or exists (select from partner_exchanges where payout_tx_id = ${txId} and id <> ${row.id}
        and to_address = ${row.to_address} and to_memo is not distinct from ${row.to_memo}) as taken`.execute(
    transaction,
  );
  return rows[0]?.taken === true;
}
