import { pairOf, type ExchangeRow, type LiquidityParts } from "./exchange-rows.ts";

/** Nodes may lag behind a partner; one that shows no payments of others never will. */
const PATIENCE_MS = 900_000;

export type Shown = { kind: "paid"; amount: bigint } | { kind: "not_yet" } | { kind: "lie" };

/**
 * What the chain says of a payment that a partner claims to have made, where the house has a node that can tell. Where the node
 * doesn't know the transaction for a quarter of an hour (wallets of some networks show their own only), or there is no node, the partner's word stands.
 */
export async function shownOnChain(
  parts: LiquidityParts,
  row: ExchangeRow,
  claim: { txId: string; amount: bigint },
): Promise<Shown> {
  const { to } = pairOf(parts, row);
  const [reader, wallet] = [parts.readers.get(to.networkTitle), parts.wallets.get(to.networkTitle)];
  if (reader === undefined || wallet === undefined) return { kind: "paid", amount: claim.amount };
  const found = await wallet.lookup(claim.txId);
  if (found.kind !== "mined") {
    const since = row.opened_at?.getTime() ?? 0;
    const hasWaited = found.kind === "absent" && Date.now() - since > PATIENCE_MS;
    return hasWaited ? { kind: "paid", amount: claim.amount } : { kind: "not_yet" };
  }
  const block = await reader.blockAt(found.height);
  const paid = (block?.transfers ?? [])
    .filter(
      ({ txId, toAddress, slug, memo }) =>
        txId === claim.txId && toAddress === row.to_address && slug === to.slug && (memo ?? null) === row.to_memo,
    )
    .reduce((sum, { amount }) => sum + amount, 0n);
  return found.succeeded && paid > 0n ? { kind: "paid", amount: paid } : { kind: "lie" };
}
