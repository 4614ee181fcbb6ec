import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import { repeat, type Loop } from "../../base/concurrency/loop.ts";
import { requireInstrument, type Catalogue } from "../../catalogue/index.ts";
import type { NetworkReader, NetworkWallet } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";
import type { Leases } from "../../db/leases.ts";
import { storeHotBalances, withholdBalances, type StoredBalance } from "./available-balances.ts";
import { storeHotAddress } from "./hot-addresses.ts";
import { openBooks } from "../ledger/ledger.ts";
import { settlePaymentsToOurselves } from "../payouts/to-ourselves.ts";
import type { Switches } from "../port.ts";
import { createDepositCheck } from "./deposit-check.ts";
import { createReconciler } from "./reconciler.ts";
import { checkWalletCaps } from "./wallet-cap.ts";

const BALANCE_EVERY_MS = 10_000;
/** While nobody waits for the network, so that its balance hardly changes; within the time that a stored one is valid for. */
const IDLE_BALANCE_EVERY_MS = 80_000;
const RECONCILE_EVERY_MS = 60_000;
/** By so much the networks differ: all at once would need a database connection each, and open it anew every time. */
const SPREAD_MS = 200;
/** How long the start waits for wallets that don't answer; the other networks are served meanwhile. */
const START_TIMEOUT_MS = 10_000;

export type TreasuryWatchParts = {
  database: Database;
  catalogue: Catalogue;
  wallets: ReadonlyMap<string, NetworkWallet>;
  readers: ReadonlyMap<string, NetworkReader>;
  switches: Switches;
  log: Log;
  status: { setWalletReady(networkTitle: string, isReady: boolean): void };
  clock: Clock;
  leases: Pick<Leases, "hold">;
  activity: { isInUse(network: string): boolean };
  /** What a hot wallet may hold of one instrument, in USD; null: any sum. */
  walletCapUsd: number | null;
  /** In USD, scaled by 10^18; null while there is no usable price. */
  priceUsd(slug: string): bigint | null;
  /** Called when a network's books are open and its first balances stored: from now on orders may be promised its coins. */
  onOpened?: (network: string) => void;
};

/**
 * Books the opening balances of the hot wallets, then keeps storing balances and reconciling them with the ledger. A network
 * whose wallet doesn't answer at the start takes no orders until it does, and holds up no other.
 */
export async function watchTreasury(parts: TreasuryWatchParts): Promise<Loop[]> {
  const { database, clock, log, wallets, readers, status, switches, leases, activity } = parts;
  const open = new Map<string, NetworkWallet>();
  const slugsOf = (network: string): string[] =>
    [...parts.catalogue.instruments.values()]
      .filter((instrument) => instrument.isActive && instrument.networkTitle === network)
      .map((instrument) => instrument.slug);
  const checkNetwork = async (network: string, wallet: NetworkWallet) => {
    const slugs = slugsOf(network);
    if (open.has(network)) return checkWalletCaps(parts, await storeHotBalances(database, wallet, slugs));
    let stored: StoredBalance[];
    try {
      await withholdBalances(database, slugs);
      await openBooks(database, wallet, slugs, clock);
      stored = await storeHotBalances(database, wallet, slugs);
      await storeHotAddress(database, wallet);
    } catch (error) {
      status.setWalletReady(network, false);
      throw error;
    }
    await checkWalletCaps(parts, stored);
    open.set(network, wallet);
    status.setWalletReady(network, true);
    parts.onOpened?.(network);
  };

  const firstChecks: Promise<void>[] = [];
  const checks = [...wallets].map(([network, wallet], at) => {
    const first = Promise.withResolvers<void>();
    firstChecks.push(first.promise);
    const turn = () => checkNetwork(network, wallet).finally(first.resolve);
    const every = () =>
      activity.isInUse(network) || !open.has(network) ? BALANCE_EVERY_MS : IDLE_BALANCE_EVERY_MS + at * SPREAD_MS;
    return repeat(`hot balance ${network}`, every, turn, log);
  });
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, START_TIMEOUT_MS);
  await Promise.race([Promise.all(firstChecks), timeout.promise]);
  clearTimeout(timer);
  for (const network of wallets.keys()) if (!open.has(network)) status.setWalletReady(network, false);

  const reconciler = createReconciler({ database, wallets: open, readers, slugsOf, switches, clock, log });
  // One loop for each network: a node that hangs hides no other network's shortage. It keeps state between two runs and books
  // top-ups, so only one process runs it. The deposit addresses follow: a node that fails there has told what the hot wallet holds before.
  const depositCheck = createDepositCheck({ database, readers, wallets: open, log });
  const finalDepthOf = (slug: string) => requireInstrument(parts.catalogue, slug).confirmations;
  const reconcile = async (network: string) => {
    if (!(await leases.hold(`reconciler ${network}`))) return;
    // First: what they cost is missing otherwise.
    await settlePaymentsToOurselves({ database, wallets: open, readers, finalDepthOf, clock, log }, network);
    await reconciler.reconcile(network);
    await depositCheck.check(network);
  };
  const reconcilers = [...wallets.keys()].map((network, at) =>
    repeat(`reconciler ${network}`, RECONCILE_EVERY_MS - at * SPREAD_MS, () => reconcile(network), log),
  );
  return [...checks, ...reconcilers];
}
