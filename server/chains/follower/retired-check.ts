import { UNKNOWN_TRANSACTION } from "#contract/unknown-transaction.ts";
import type { Database } from "../../db/database.ts";
import type { NetworkReader, ObservedBlock, ObservedTransfer } from "../port.ts";
import { dueAddresses, storeResults, unlistedCounts, type BalanceCheckResult } from "./retired-addresses.ts";
import { UNLISTED_OUTPUT } from "./watched-addresses.ts";

type ComparingReader = NetworkReader & Required<Pick<NetworkReader, "balancesAt">>;

/**
 * Compares what a slice of the addresses that no order waits for any more holds after a block with what the rows and the block say, and
 * adds what is beyond as deposits: a contract may send coins at any time. The slice is bounded, and the pauses between two looks at an
 * address grow, so that the cost does not follow the number of all addresses ever.
 */
export async function addUnseenCoins(
  database: Database,
  reader: ComparingReader,
  block: ObservedBlock,
): Promise<ObservedBlock> {
  const { networkTitle: network, feeSlug: coin } = reader;
  const due = await dueAddresses(database, { network, coin });
  if (due.length === 0) return block;
  const arrived = new Map<string, bigint>();
  for (const { toAddress, slug, amount } of block.transfers)
    if (slug === coin) arrived.set(toAddress, (arrived.get(toAddress) ?? 0n) + amount);
  const balances = await reader.balancesAt(
    block.hash,
    due.map(({ address }) => ({ address, slug: coin })),
  );
  const looks: BalanceCheckResult[] = [];
  const found = new Map<string, bigint>();
  for (const [at, { address, expected, moved, ...last }] of due.entries()) {
    const before = (balances[at] ?? 0n) - (arrived.get(address) ?? 0n);
    // It stays due until its deposit is stored: a crash in between loses nothing.
    if (expected !== null && before > expected) found.set(address, before - expected);
    else if (expected !== null) looks.push({ address, expected, initial: null, ...last });
    else looks.push({ address, expected: before, initial: moved === null ? null : before - moved, ...last });
  }
  await storeResults(database, network, looks);
  if (found.size === 0) return block;
  const counts = await unlistedCounts(database, network, [...found.keys()]);
  const unlisted = [...found].map(([toAddress, amount]): ObservedTransfer => {
    const txId = `${UNKNOWN_TRANSACTION}${toAddress}-${(counts.get(toAddress) ?? 0) + 1}`;
    return { txId, outputIndex: UNLISTED_OUTPUT, toAddress, slug: coin, amount };
  });
  return { ...block, transfers: [...block.transfers, ...unlisted] };
}
