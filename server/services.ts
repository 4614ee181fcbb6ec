import type { Instrument } from "#contract/instrument.ts";
import type { Clock, MovableClock } from "./base/clock.ts";
import type { Log } from "./base/log.ts";
import { openShared, type Bus, type Shared } from "./bus/index.ts";
import { loadCatalogue, toInstrument, type Catalogue } from "./catalogue/index.ts";
import { createFollower, type Follower } from "./chains/follower/follower.ts";
import { monitorReader, createNetworkStatus, type NetworkStatus } from "./chains/network-status.ts";
import { openNetworks } from "./chains/open-networks.ts";
import type { NetworkReader, NetworkWallet } from "./chains/port.ts";
import type { Config } from "./config/config.ts";
import { openClock } from "./db/clock.ts";
import { openDatabase, type Database } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { runDueJobs } from "./db/job-runner.ts";
import { openLeases, type Leases } from "./db/leases.ts";
import { migrate } from "./db/migrate.ts";
import type { TransactionProbe } from "./db/transaction.ts";
import { openEthereum } from "./devnet/evm/open.ts";
import { advanceExchange, configuredPartners, endOfExchange, intendExchange } from "./liquidity/index.ts";
import type { LiquidityPartner } from "./liquidity/port.ts";
import { enqueueMessages, openPushKeys } from "./notifications/index.ts";
import type { PushKeys } from "./notifications/push/port.ts";
import { advance } from "./orders/advance.ts";
import { authorisePayout } from "./orders/authorise-payout.ts";
import { createDepositAddresses } from "./orders/deposit-addresses.ts";
import { secureIds, type Ids } from "./orders/ids.ts";
import { createOrderService } from "./orders/order-service.ts";
import type { OrderService } from "./orders/port.ts";
import { createSandboxMarket } from "./rates/market/sandbox.ts";
import type { Rates } from "./rates/port.ts";
import { createPriceSnapshots, type PriceSnapshots } from "./rates/price-snapshot.ts";
import { createRates } from "./rates/rate-service.ts";
import { openSandboxNetworks, SIMULATED_NETWORKS, type ControlledNetwork } from "./sandbox/networks.ts";
import type { SandboxNetwork, SandboxNetworks } from "./sandbox/port.ts";
import {
  createAvailableBalances,
  createSwitches,
  createTreasuryJobs,
  intendPayout,
  post,
  type TreasuryJobs,
} from "./treasury/index.ts";
import type { AvailableBalances, Switches } from "./treasury/port.ts";

const POOL_SIZE = 16;
/** The available balance while it is unknown: the payout itself finds out that there is too little, and waits. */
const UNKNOWN_BALANCE = 10n ** 77n;

/** What the web and the worker role are built from. */
export type Services = {
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
  /** Empty without the worker role, which alone holds keys (engine law 14). */
  wallets: ReadonlyMap<string, NetworkWallet>;
  /** Empty without the worker role. */
  partners: ReadonlyMap<string, LiquidityPartner>;
  priceSnapshots: PriceSnapshots;
  switches: Switches;
  availableBalances: AvailableBalances;
  rates: Rates;
  engine: Engine;
  /** Null while web push is off. */
  pushKeys: PushKeys | null;
};

/** Closes what was opened, newest first. */
export type Closers = { add(close: () => Promise<void>): void };

/** Opens everything in order of dependency; each closer is added at once, so that a failed start closes what it had opened. */
export async function createServices(
  config: Config,
  log: Log,
  closers: Closers,
  onJobs: () => void,
): Promise<Services> {
  const database = await openStore(config, log, closers);
  const leases = openLeases(database.url, log);
  closers.add(() => leases.close());
  const shared = openShared(config.redisUrl, log);
  closers.add(() => shared.close());
  const { clock, priceSnapshots, switches } = await openSharedState(database, shared.bus);
  const ethereum = await openEthereum(config, log, database);
  if (ethereum?.devnet) closers.add(() => ethereum.devnet?.stop() ?? Promise.resolve());
  const options = {
    ...(ethereum && { contractAddresses: ethereum.contracts }),
    localNetworks: new Set(ethereum?.devnet ? ["ETH"] : []),
    ...(config.sandbox && { simulatedNetworks: SIMULATED_NETWORKS }),
  };
  const catalogue = await loadCatalogue(options, config.catalogueFile ?? undefined);

  const status = createNetworkStatus({ log });
  const readers = new Map<string, NetworkReader>();
  const wallets = new Map<string, NetworkWallet>();
  const sandboxNetworks = new Map<string, SandboxNetwork>();
  const { bitcoin, monero, tron } = config;
  const nodes = { evm: ethereum, bitcoin, monero, tron, isRegtest: config.sandbox };
  const opened = openNetworks(nodes, catalogue.instruments);
  const networks: ControlledNetwork[] = config.sandbox
    ? await openSandboxNetworks(
        opened,
        { evm: ethereum?.devnet ?? null, bitcoin, monero },
        {
          database,
          catalogue,
          isWorker: config.roles.worker,
          market: createSandboxMarket(),
          onPaused: status.setPaused,
        },
      )
    : opened.map((network) => ({ ...network, sandbox: null }));
  for (const { reader, wallet, sandbox } of networks) {
    readers.set(reader.networkTitle, monitorReader(reader, status));
    if (wallet !== null) wallets.set(wallet.networkTitle, wallet);
    if (sandbox !== null) sandboxNetworks.set(sandbox.networkTitle, sandbox);
  }
  const upNetworks = { isUp: (networkTitle: string) => readers.has(networkTitle) && status.isUp(networkTitle) };
  const availableBalances = createAvailableBalances(database);
  const rates = createRates({
    catalogue,
    priceSnapshots,
    networks: upNetworks,
    clock,
    available: availableBalances.available,
    switches,
  });
  const partners = configuredPartners(config.partners);
  const engine = createEngine({
    database,
    catalogue,
    readers,
    wallets,
    rates,
    partners,
    available: availableBalances.available,
    instrumentOf: (slug) => toInstrument(required(catalogue.instruments.get(slug), slug), rates.priceUsd(slug)),
    clock,
    ids: secureIds,
    switches,
    log,
    fixedOrdersPerClient: config.fixedOrdersPerClient,
    autoRefundSeconds: config.autoRefundSeconds,
    onJobs,
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

/** What several processes change: each change is published. */
async function openSharedState(database: Database, bus: Bus) {
  const publish = publishing(bus);
  const clock = await openClock(database);
  const priceSnapshots = createPriceSnapshots(database);
  const switches = createSwitches(database);
  return {
    clock: { ...clock, advance: publish("clock", clock.advance) },
    priceSnapshots: { ...priceSnapshots, publish: publish("price-snapshots", priceSnapshots.publish) },
    switches: {
      ...switches,
      stop: publish("switches", switches.stop),
      release: publish("switches", switches.release),
      setRefundOnly: publish("switches", switches.setRefundOnly),
    },
  };
}

/** Wraps a change so that other processes reload at once instead of at their next poll. */
function publishing(bus: Bus) {
  return <Given extends unknown[], Result>(
    invalidation: Parameters<Bus["tell"]>[0],
    change: (...given: Given) => Promise<Result>,
  ) =>
    async (...given: Given): Promise<Result> => {
      const result = await change(...given);
      bus.tell(invalidation);
      return result;
    };
}

export type EngineParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  wallets: ReadonlyMap<string, NetworkWallet>;
  rates: Pick<Rates, "snapshot" | "networkFee" | "priceClaim">;
  /** By code; absent or empty where no partner fills orders. */
  partners?: ReadonlyMap<string, LiquidityPartner>;
  /** What the hot wallets can still promise; absent where it is unknown. */
  available?: (slug: string) => bigint | null;
  instrumentOf(slug: string): Instrument;
  clock: Clock;
  ids: Ids;
  switches: Switches;
  log: Log;
  fixedOrdersPerClient: number;
  /** How long a deposit waits for its owner's choice before it is refunded; absent or null: for ever. */
  autoRefundSeconds?: number | null;
  /** Called when jobs became due, so that a waiting loop runs them at once. */
  onJobs?: () => void;
  probe?: TransactionProbe;
};

/** The order engine: each `run…` runs one batch of due jobs and is true when more may be due. */
export type Engine = TreasuryJobs & {
  orderService: OrderService;
  followers: ReadonlyMap<string, Follower>;
  runOrders(): Promise<boolean>;
  runExchanges(): Promise<boolean>;
};

/**
 * Wires the order engine out of orders, treasury, liquidity and chains; tests build it over their own chain, clock and prices.
 *
 * @internal Exported for its tests.
 */
export function createEngine(parts: EngineParts): Engine {
  const { database, catalogue, readers, rates, log, autoRefundSeconds = null } = parts;
  const onJobs = parts.onJobs ?? (() => undefined);
  const orderParts = {
    ...parts,
    intendPayout,
    intendExchange,
    ownBalance: (slug: string, network: string) =>
      parts.wallets.has(network) ? (parts.available?.(slug) ?? UNKNOWN_BALANCE) : null,
    post,
    tell: enqueueMessages,
    depositAddresses: createDepositAddresses(database, log),
  };
  const advanceParts = {
    ...orderParts,
    returnFee: (slug: string) => orNull(() => rates.networkFee(slug, rates.snapshot()), log),
    autoRefundSeconds,
    endOfExchange,
  };
  const exchangeParts = {
    ...parts,
    partners: parts.partners ?? new Map<string, LiquidityPartner>(),
    instrumentOf: (slug: string) => required(catalogue.instruments.get(slug), slug),
    intendPayout,
    post,
  };
  return {
    orderService: createOrderService(orderParts),
    followers: new Map(
      [...readers].map(([network, reader]) => [network, createFollower({ ...parts, reader, onChange: onJobs })]),
    ),
    runOrders: () => runDueJobs(database, "orders", (id) => advance(advanceParts, id), log),
    runExchanges: () =>
      runDueJobs(database, "partner_exchanges", (id) => advanceExchange(exchangeParts, BigInt(id)), log),
    ...createTreasuryJobs({
      ...parts,
      priceUsd: (slug) => orNull(() => rates.snapshot().prices.get(slug), log),
      authorisePayout: (payout) => authorisePayout(database, payout),
      onMined: onJobs,
    }),
  };
}

/** Null while there are no usable prices. */
function orNull(read: () => bigint | undefined, log: Log): bigint | null {
  try {
    return read() ?? null;
  } catch (error) {
    log.debug({ err: error }, "no price snapshot is usable");
    return null;
  }
}

function required<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`${name} is missing in the catalogue`);
  return found;
}
