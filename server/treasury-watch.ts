import type { House } from "./house.ts";
import { repeat, type Loop } from "./loop.ts";
import { createReconciler, openBooks, takeStock } from "./treasury/index.ts";

const STOCK_EVERY_MS = 10_000;
const RECONCILE_EVERY_MS = 60_000;

/** Opens the books on what the hot wallets hold, then keeps looking: what can be promised, and whether the books are true. */
export async function watchTreasury(house: House): Promise<Loop[]> {
  const { database, clock, log, wallets, readers, switches, leases } = house;
  const slugsOf = (network: string): string[] =>
    [...house.catalogue.instruments.values()]
      .filter((instrument) => instrument.isActive && instrument.networkTitle === network)
      .map((instrument) => instrument.slug);
  const stockAll = async () => {
    for (const [network, wallet] of wallets) await takeStock(database, wallet, slugsOf(network));
  };
  for (const [network, wallet] of wallets) await openBooks(database, wallet, slugsOf(network), clock);
  await stockAll();
  const reconciler = createReconciler({ database, wallets, readers, slugsOf, switches, clock, log });
  return [
    repeat("stock", STOCK_EVERY_MS, stockAll, log),
    // It remembers what it suspected at the last look, and books what was added: one of them looks.
    repeat("reconciler", RECONCILE_EVERY_MS, async () => (await leases.hold("reconciler")) && reconciler.look(), log),
  ];
}
