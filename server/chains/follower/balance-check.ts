import { UNKNOWN_TRANSACTION } from "#contract/unknown-transaction.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import type { HeldAt, NetworkReader, ObservedBlock, ObservedTransfer } from "../port.ts";
import { addUnseenCoins } from "./retired-check.ts";
import {
  storeInitialBalances,
  tailHashes,
  isWatching,
  UNLISTED_OUTPUT,
  watchedAddresses,
  watchFrom,
  type WatchedAddress,
} from "./watched-addresses.ts";

export type BalanceCheckParts = { database: Database; reader: NetworkReader; log: Log };
export type BalanceCheck = {
  check(block: ObservedBlock): Promise<ObservedBlock>;
  /** Whether there are addresses whose balance is compared after each block. */
  isWatching(): Promise<boolean>;
};
type ComparingReader = NetworkReader & Required<Pick<NetworkReader, "balancesAt">>;

const canCompare = (reader: NetworkReader): reader is ComparingReader => reader.balancesAt !== undefined;

/**
 * Compares what the addresses that orders wait for hold after a block with what the rows and the block say. Coins beyond that came by a
 * contract's call or its end and are added as a deposit; a token that moved less than it reported is marked for review. Its cost follows
 * the number of orders under way. Where the node can't tell, the block passes as it is, and a later one makes up for it.
 */
export function createBalanceCheck(parts: BalanceCheckParts): BalanceCheck {
  const { reader, log } = parts;
  if (!canCompare(reader)) return { check: async (block) => block, isWatching: async () => false };
  const chain = { network: reader.networkTitle, coin: reader.feeSlug };
  let isFailing = false;
  const fail = (error: unknown, height: number): void => {
    if (!isFailing)
      log.warn(
        { err: error, network: chain.network, height },
        "the node does not tell what deposit addresses hold: coins from contracts are seen later",
      );
    isFailing = true;
  };
  const checkRetired = async (block: ObservedBlock): Promise<ObservedBlock> => {
    try {
      return await addUnseenCoins(parts.database, reader, block);
    } catch (error) {
      fail(error, block.height);
      return block;
    }
  };
  const checkWatched = async (block: ObservedBlock): Promise<ObservedBlock> => {
    const watched = await watchedAddresses(parts.database, { ...chain, height: block.height - 1 });
    if (watched.length === 0) return block;
    try {
      const { known, lost } = await withInitialBalances(parts.database, reader, watched, block.height - 1);
      const asked = whatToAsk(block, known, chain.coin);
      const balances = await reader.balancesAt(block.hash, asked);
      isFailing = false;
      if (lost.length > 0) {
        log.warn(
          { network: chain.network, addresses: lost.length, height: block.height },
          "the node no longer knows what deposit addresses held at first: coins that contracts sent until now are not seen",
        );
        await watchFrom(parts.database, chain.network, lost, block.height - 1);
      }
      return compare(block, known, chain.coin, new Map(asked.map((one, at) => [keyOf(one), balances[at] ?? 0n])));
    } catch (error) {
      fail(error, block.height);
      return block;
    }
  };
  return {
    check: async (block) => checkWatched(await checkRetired(block)),
    isWatching: () => isWatching(parts.database, chain.network),
  };
}

type Known = WatchedAddress & { initial: bigint };

/** Asks what new addresses held before they were watched; `lost` are those of which the node no longer knows it. */
async function withInitialBalances(
  database: Database,
  reader: ComparingReader,
  watched: readonly WatchedAddress[],
  height: number,
): Promise<{ known: ReadonlyMap<string, Known>; lost: string[] }> {
  const { networkTitle: network, feeSlug: coin } = reader;
  const fresh = Map.groupBy(
    watched.filter(({ initial }) => initial === null),
    ({ watchedFrom }) => watchedFrom,
  );
  const hashes = fresh.size === 0 ? new Map<number, string>() : await tailHashes(database, network, [...fresh.keys()]);
  const found = new Map<string, bigint>();
  for (const [from, some] of fresh) {
    const asked = some.map(({ address }) => ({ address, slug: coin }));
    // A node that fails as a whole also fails at the block itself; one that has only forgotten this state does not.
    const balances = await reader.balancesAt(hashes.get(from) ?? "", asked).catch(() => []);
    balances.forEach((balance, at) => found.set(some[at]?.address ?? "", balance));
  }
  if (found.size > 0) await storeInitialBalances(database, { network, coin }, found);
  const only = [...found.keys()];
  const asked = only.length === 0 ? [] : await watchedAddresses(database, { network, coin, height, only });
  const now = [...watched.filter(({ address }) => !found.has(address)), ...asked];
  return {
    known: new Map(
      now.flatMap(({ initial, ...one }) => (initial === null ? [] : [[one.address, { ...one, initial }] as const])),
    ),
    lost: [...fresh.values()].flat().flatMap(({ address }) => (found.has(address) ? [] : [address])),
  };
}

const keyOf = ({ address, slug }: HeldAt): string => `${address} ${slug}`;

/** The coin at every watched address, and tokens where the block says that some arrive. */
function whatToAsk(block: ObservedBlock, watched: ReadonlyMap<string, Known>, coin: string): HeldAt[] {
  const asked = new Map<string, HeldAt>();
  for (const address of watched.keys()) asked.set(keyOf({ address, slug: coin }), { address, slug: coin });
  for (const { toAddress: address, slug } of block.transfers)
    if (watched.has(address)) asked.set(keyOf({ address, slug }), { address, slug });
  return [...asked.values()];
}

function compare(
  block: ObservedBlock,
  watched: ReadonlyMap<string, Known>,
  coin: string,
  balances: ReadonlyMap<string, bigint>,
): ObservedBlock {
  const arrived = new Map<string, bigint>();
  for (const { toAddress: address, slug, amount } of block.transfers) {
    const key = keyOf({ address, slug });
    if (watched.has(address)) arrived.set(key, (arrived.get(key) ?? 0n) + amount);
  }
  /** What an address holds beyond what is known to have come. */
  const beyond = (one: Known, slug: string): bigint => {
    const key = keyOf({ address: one.address, slug });
    const before = slug === coin ? one.initial : 0n;
    return (balances.get(key) ?? 0n) - before - (one.held.get(slug) ?? 0n) - (arrived.get(key) ?? 0n);
  };
  const listed = block.transfers.map((transfer): ObservedTransfer => {
    const one = watched.get(transfer.toAddress);
    if (one === undefined || transfer.slug === coin) return transfer;
    const isLess = one.distrusted.has(transfer.slug) || beyond(one, transfer.slug) < 0n;
    return isLess ? { ...transfer, reviewReason: transfer.reviewReason ?? REVIEW_REASON.lessThanReported } : transfer;
  });
  const unlisted = [...watched.values()].flatMap((one): ObservedTransfer[] => {
    const amount = beyond(one, coin);
    if (amount <= 0n) return [];
    // The same after a reorganisation, whichever block and transaction the coins come in then.
    const txId = `${UNKNOWN_TRANSACTION}${one.address}-${one.unlisted + 1}`;
    return [{ txId, outputIndex: UNLISTED_OUTPUT, toAddress: one.address, slug: coin, amount }];
  });
  return { ...block, transfers: [...listed, ...unlisted] };
}
