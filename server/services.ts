import { openShared, type Shared } from "./bus/index.ts";
import { loadCatalogue, toInstrument, type Catalogue } from "./catalogue/index.ts";
import { openClock, type MovableClock } from "./base/clock.ts";
import type { Config } from "./config/config.ts";
import { openDatabase, type Database } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { openLeases, type Leases } from "./db/leases.ts";
import { migrate } from "./db/migrate.ts";
import { createEngine, type Engine } from "./engine.ts";
import { openEthereum, openNetworks, PLAYED_NETWORKS } from "./drivers/index.ts";
import { announced } from "./hints.ts";
import { configuredPartners } from "./liquidity/index.ts";
import type { LiquidityPartner } from "./liquidity/port.ts";
import type { Log } from "./base/log.ts";
import type { NetworkReader, NetworkWallet } from "./chains/port.ts";
import { reported } from "./chains/reported.ts";
import { createNetworkStatus, type NetworkStatus } from "./chains/status.ts";
import { openPushKeys } from "./notifications/push/index.ts";
import type { PushKeys } from "./notifications/push/port.ts";
import { secureIds } from "./orders/ids.ts";
import { createPriceSnapshots, type PriceSnapshots } from "./rates/price-snapshot.ts";
import type { Rates } from "./rates/port.ts";
import { createRates } from "./rates/rates.ts";
import type { SandboxNetwork, SandboxNetworks } from "./sandbox/port.ts";
import { createAvailableBalances, createSwitches } from "./treasury/index.ts";
import type { AvailableBalances, Switches } from "./treasury/port.ts";

const POOL_SIZE = 16;

/** What both roles stand on. */
export type House = {
  config: Config;
  log: Log;
  database: Database;
  shared: Shared;
  leases: Leases;
  clock: MovableClock;
  catalogue: Catalogue;
  status: NetworkStatus;
  sandboxNetworks: SandboxNetworks;
  readers: ReadonlyMap<string, NetworkReader>;
  wallets: ReadonlyMap<string, NetworkWallet>;
  /** Empty without the worker role. */
  partners: ReadonlyMap<string, LiquidityPartner>;
  priceSnapshots: PriceSnapshots;
  switches: Switches;
  availableBalances: AvailableBalances;
  rates: Rates;
  engine: Engine;
  /** Null: nobody is told by push. */
  pushKeys: PushKeys | null;
};

/** Undoes what was opened, newest first. */
export type Closers = { add(close: () => Promise<void>): void };

/** Opens everything in the order in which it is needed; what was opened is handed to `closers` at once, also when a later step fails. */
export async function openHouse(config: Config, log: Log, closers: Closers, onWork: () => void): Promise<House> {
  const database = await openStore(config, log, closers);
  const leases = openLeases(database.url, log);
  closers.add(() => leases.close());
  const shared = openShared(config.redisUrl, log);
  closers.add(() => shared.close());
  const { priceSnapshots, switches, clock } = announced(
    {
      priceSnapshots: createPriceSnapshots(database),
      switches: createSwitches(database),
      clock: await openClock(database),
    },
    shared.bus,
  );
  const ethereum = await openEthereum(config, log, database);
  if (ethereum?.devnet) closers.add(() => ethereum.devnet?.stop() ?? Promise.resolve());
  const options = {
    ...(ethereum && { contractAddresses: ethereum.contracts }),
    localNetworks: new Set(ethereum?.devnet ? ["ETH"] : []),
    ...(config.sandbox && { playedNetworks: PLAYED_NETWORKS }),
  };
  const catalogue = await loadCatalogue(options, config.catalogueFile ?? undefined);

  const status = createNetworkStatus({ log });
  const readers = new Map<string, NetworkReader>();
  const wallets = new Map<string, NetworkWallet>();
  const sandboxNetworks = new Map<string, SandboxNetwork>();
  for (const { reader, wallet, sandbox } of await openNetworks({
    config,
    log,
    database,
    catalogue,
    status,
    ethereum,
  })) {
    readers.set(reader.networkTitle, reported(reader, status));
    if (wallet !== null) wallets.set(wallet.networkTitle, wallet);
    if (sandbox !== null) sandboxNetworks.set(sandbox.networkTitle, sandbox);
  }
  const networks = { isUp: (networkTitle: string) => readers.has(networkTitle) && status.isUp(networkTitle) };
  const availableBalances = createAvailableBalances(database);
  const rates = createRates({
    catalogue,
    priceSnapshots,
    networks,
    clock,
    available: availableBalances.available,
    switches,
  });
  const instrumentOf = (slug: string) => {
    const instrument = catalogue.instruments.get(slug);
    if (instrument === undefined) throw new Error(`${slug} is missing in the catalogue`);
    return toInstrument(instrument, rates.priceUsd(slug));
  };
  const partners = configuredPartners(config.partners);
  const engine = createEngine({
    database,
    catalogue,
    readers,
    wallets,
    rates,
    partners,
    available: availableBalances.available,
    instrumentOf,
    clock,
    ids: secureIds,
    switches,
    log,
    fixedOrdersPerClient: config.fixedOrdersPerClient,
    autoRefundSeconds: config.autoRefundSeconds,
    onWork,
  });
  const pushKeys = config.push === null ? null : await openPushKeys(config.push.keys, database);
  return {
    config,
    log,
    database,
    shared,
    leases,
    clock,
    catalogue,
    status,
    sandboxNetworks,
    readers,
    wallets,
    partners,
    priceSnapshots,
    switches,
    availableBalances,
    rates,
    engine,
    pushKeys,
  };
}

async function openStore(config: Config, log: Log, closers: Closers): Promise<Database> {
  let url = config.databaseUrl;
  if (url === null) {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
    closers.add(() => embedded.stop());
    url = embedded.url;
  }
  const database = openDatabase(url, { max: POOL_SIZE, log, applicationName: "wherry" });
  closers.add(() => database.close());
  await migrate(database);
  return database;
}
