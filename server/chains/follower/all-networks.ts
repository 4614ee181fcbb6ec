import { signOnlyWhenCurrent } from "../current-node.ts";
import type { NetworkReader, NetworkWallet } from "../port.ts";
import { createFollower, type Follower, type FollowerParts } from "./follower.ts";
import { checkRecentPayments } from "./payment-hold.ts";
import { createMempoolWatch, type MempoolWatch, type MempoolWatchParts } from "./mempool-watch.ts";
import { readTip } from "./tail.ts";

/** A follower that keeps up has read a block by then: nothing is signed above blocks that are older and unread. */
const READ_WITHIN_SECONDS = 10;

type Readers = { readers: ReadonlyMap<string, NetworkReader> };
type Limits = { catalogue: { networks: ReadonlyMap<string, { blockSeconds: number; standstillSeconds: number }> } };

/** `areChainsLocal`: blocks are made on demand, so that the newest one may be of any age. */
type FollowersParts = Omit<FollowerParts, "reader" | "wallet" | "oldestTipMs"> &
  Readers &
  Limits & { wallets: ReadonlyMap<string, NetworkWallet>; areChainsLocal?: boolean };

export function createFollowers({
  readers,
  wallets,
  catalogue,
  areChainsLocal,
  ...parts
}: FollowersParts): Map<string, Follower> {
  /** No node that has all blocks shows one that is older than the network may stand still. */
  const oldestTipMs = (network: string): number | null => {
    const limits = areChainsLocal ? undefined : catalogue.networks.get(network);
    return limits === undefined ? null : limits.standstillSeconds * 1_000;
  };
  return new Map(
    [...readers].map(([network, reader]) => [
      network,
      createFollower({ ...parts, reader, wallet: wallets.get(network), oldestTipMs: oldestTipMs(network) }),
    ]),
  );
}

/** Of those networks whose mempool can be read. */
export function createMempoolWatches({
  readers,
  ...parts
}: Omit<MempoolWatchParts, "reader"> & Readers): Map<string, MempoolWatch> {
  return new Map(
    [...readers].flatMap(([network, reader]) => {
      const watch = createMempoolWatch({ ...parts, reader });
      return watch === null ? [] : [[network, watch] as const];
    }),
  );
}

type SigningParts = Pick<FollowerParts, "database" | "clock" | "log"> &
  Readers &
  Limits & {
    wallets: ReadonlyMap<string, NetworkWallet>;
    /** How often the database was started anew. */
    checkDatabase(): Promise<number>;
  };

/** The wallets, each of which signs nothing that its node, the blocks that were read or the database may contradict (engine law 18). */
export function signingWallets(parts: SigningParts): Map<string, NetworkWallet> {
  const { database, catalogue, readers, wallets, clock, log, checkDatabase } = parts;
  return new Map(
    [...wallets].map(([network, wallet]) => {
      const reader = readers.get(network);
      if (reader === undefined) throw new Error(`${network} has a wallet and no reader`);
      const blockSeconds = catalogue.networks.get(network)?.blockSeconds ?? Infinity;
      const checks = {
        readTip: () => readTip(database.kysely, network),
        checkDatabase,
        maxLag: Math.max(1, Math.ceil(READ_WITHIN_SECONDS / blockSeconds)),
        checkPayments: () => checkRecentPayments({ database, log }, wallet, clock.now()),
      };
      return [network, signOnlyWhenCurrent(wallet, reader, checks)];
    }),
  );
}
