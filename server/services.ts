import type { MovableClock } from "./base/clock.ts";
import type { Log } from "./base/logging/log.ts";
import type { Closers } from "./base/processes/run-process.ts";
import { openSecurityLog, type SecurityLog } from "./base/logging/security-log.ts";
import { openShared, type Shared } from "./bus/index.ts";
import { openCard, type OpenCard } from "./card/index.ts";
import { loadCatalogue, warnOfLowFixedFees, type Catalogue } from "./catalogue/index.ts";
import { createNetworkStatus, type NetworkStatus } from "./chains/network-status.ts";
import { watchActivity, type NetworkActivity } from "./chains/follower/network-activity.ts";
import { createPace, type Pace } from "./chains/pace.ts";
import type { NetworkReader, NetworkWallet } from "./chains/port.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./db/database.ts";
import { openLeases, type Leases } from "./db/leases.ts";
import { storeTokenContracts } from "./db/token-contracts.ts";
import { openEthereum } from "./devnet/evm/open.ts";
import { watchCreations, type CreationWatch } from "./http/monitoring/creation-watch.ts";
import { createEngine, type Engine, type EngineParts } from "./engine.ts";
import { configuredPartners, createRefusingPartner } from "./liquidity/index.ts";
import type { LiquidityPartner } from "./liquidity/port.ts";
import { openPushKeys } from "./notifications/index.ts";
import type { PushKeys } from "./notifications/push/port.ts";
import { REHEARSAL_PARTNER } from "./orders/port.ts";
import { secureIds } from "./orders/creation/ids.ts";
import { PUBLIC_FEED, SANDBOX_FEED } from "./orders/views/public-feed.ts";
import { createOrderViews, type OrderViews } from "./orders/views/order-views.ts";
import type { Rates } from "./rates/port.ts";
import { createRatesVersion, type RatesVersion } from "./rates/live/rates-version.ts";
import type { PriceSnapshots } from "./rates/snapshots/price-snapshot.ts";
import { createPayoutTimes } from "./orders/views/payout-times.ts";
import { createArrivalTimes } from "./rates/arrival.ts";
import { createRates } from "./rates/rate-service.ts";
import { openSandboxProviderKeys } from "./sandbox/mercuryo/keys.ts";
import { SIMULATED_NETWORKS } from "./sandbox/networks.ts";
import type { SandboxNetworks } from "./sandbox/port.ts";
import { createAvailableBalances } from "./treasury/index.ts";
import type { AvailableBalances, Switches } from "./treasury/port.ts";
import { openAllNetworks } from "./networks.ts";
import { openSharedState, openStore } from "./store.ts";

/** How often the card provider is asked about an order (contract §11). */
const ASK_SECONDS = 60;
const SANDBOX_ASK_SECONDS = 10;

/** The configuration of a process once its database runs. */
export type ServicesConfig = Config & { databaseUrl: string };

/** What the web and the worker role are built from. */
export type Services = {
  config: Config;
  log: Log;
  securityLog: SecurityLog;
  database: Database;
  shared: Shared;
  leases: Leases;
  clock: MovableClock;
  catalogue: Catalogue;
  status: NetworkStatus;
  activity: NetworkActivity;
  pace: Pace;
  sandboxNetworks: SandboxNetworks;
  readers: ReadonlyMap<string, NetworkReader>;
  /** Those that the database plays. */
  simulatedNetworks: ReadonlySet<string>;
  /** Empty without the worker role, which alone holds keys (engine law 14). */
  wallets: ReadonlyMap<string, NetworkWallet>;
  /** Empty without the worker role. */
  partners: ReadonlyMap<string, LiquidityPartner>;
  /** Null where no cards are taken. */
  card: OpenCard | null;
  priceSnapshots: PriceSnapshots;
  switches: Switches;
  availableBalances: AvailableBalances;
  rates: Rates;
  ratesVersion: RatesVersion;
  orderViews: OrderViews;
  engine: Engine;
  creations: CreationWatch;
  /** Some work has become due. */
  wakeWorkers: () => void;
  /** Null while web push is off. */
  pushKeys: PushKeys | null;
};

/** Opens everything in order of dependency; each closer is added at once, so that a failed start closes what it had opened. */
export async function createServices(
  config: ServicesConfig,
  log: Log,
  closers: Closers,
  wakes: Pick<EngineParts, "onJobs" | "onCreated">,
): Promise<Services> {
  const securityLog = openSecurityLog(config.securityLog, log);
  closers.add(() => securityLog.close());
  const database = await openStore(config, log, closers);
  const leases = openLeases(database.url, log);
  closers.add(() => leases.close());
  const shared = openShared({ redisUrl: config.redisUrl, databaseUrl: database.url }, log);
  closers.add(() => shared.close());
  const { clock, priceSnapshots, switches: givenSwitches } = await openSharedState(database, shared.bus, config, log);
  const ethereum = await openEthereum(config, log, database);
  if (ethereum?.devnet) closers.add(() => ethereum.devnet?.stop() ?? Promise.resolve());
  if (ethereum !== null && config.roles.worker) await storeTokenContracts(database, ethereum.contracts);
  const options = {
    ...(ethereum && { contractAddresses: ethereum.contracts }),
    localNetworks: new Set(ethereum?.devnet ? ["ETH"] : []),
    ...(config.sandbox && { simulatedNetworks: SIMULATED_NETWORKS, refundDelaySeconds: 0 }),
  };
  const catalogue = await loadCatalogue(options, config.catalogueFile ?? undefined);
  warnOfLowFixedFees(catalogue, log);

  const status = createNetworkStatus({ log, limits: catalogue.networks });
  const networkParts = { config, log, database, catalogue, ethereum, status };
  const { readers, wallets, sandboxNetworks, nodes } = await openAllNetworks(networkParts);
  const isUp = (title: string) => readers.has(title) && status.isUp(title) && !givenSwitches.isHeld(title);
  const upNetworks = { isUp };
  const balances = createAvailableBalances(database, {
    catalogue,
    fees: () => priceSnapshots.newest()?.fees ?? new Map<string, bigint>(),
    now: () => clock.now(),
  });
  const payoutTimes = createPayoutTimes({ database, catalogue, log, onChange: () => ratesVersion.bump() });
  const arrivalTimes = createArrivalTimes({
    blockSeconds: (network) =>
      config.sandbox
        ? (sandboxNetworks.get(network)?.blockSeconds ?? null)
        : (catalogue.networks.get(network)?.knownBlockSeconds ?? null),
    measuredSeconds: payoutTimes.seconds,
  });
  const rates = createRates({
    catalogue,
    priceSnapshots,
    networks: upNetworks,
    clock,
    arrivalTimes,
    available: balances.available,
    switches: givenSwitches,
  });
  const ratesVersion = createRatesVersion(() => rates, log);
  status.onChange(ratesVersion.bump);
  priceSnapshots.onChange(ratesVersion.bump);
  const newRates = ratesVersion.bump;
  const switches = {
    ...givenSwitches,
    refresh: followed(givenSwitches.refresh, newRates),
    stop: followed(givenSwitches.stop, newRates),
    release: followed(givenSwitches.release, newRates),
    setRefundOnly: followed(givenSwitches.setRefundOnly, newRates),
  };
  const availableBalances: AvailableBalances = {
    ...balances,
    refresh: followed(balances.refresh, newRates),
    promise: (slug, amount, rateMode) => {
      balances.promise(slug, amount, rateMode);
      newRates();
    },
  };
  const orderViews = createOrderViews();
  const activity = watchActivity({ database, networks: readers.keys(), log });
  closers.add(() => activity.stop());
  const pace = createPace({
    limits: catalogue.networks,
    isLocal: config.sandbox,
    nodes,
    activity,
  });
  const partners = configuredPartners(config.partners);
  const card = await openCard(config.card, {
    catalogue,
    rates,
    clock,
    makeKeys: () => openSandboxProviderKeys(database),
    isStopped: (coin, side) => switches.refundOnly() !== null || switches.stopped("accept", coin, side) !== null,
  });
  const creations = watchCreations();
  const engine = createEngine({
    database,
    creations,
    catalogue,
    readers,
    wallets,
    rates,
    partners: config.sandbox ? withRefusing(partners) : partners,
    available: availableBalances.available,
    onPromised: availableBalances.promise,
    instrumentOf: rates.instrument,
    arrivalTimes,
    clock,
    ids: secureIds,
    switches,
    views: orderViews,
    publicFeed: config.sandbox ? SANDBOX_FEED : PUBLIC_FEED,
    log,
    fixedOrdersPerClient: config.fixedOrdersPerClient,
    unpaidOrdersPerClient: config.unpaidOrdersPerClient,
    firstMails: config.firstMails,
    autoRefundSeconds: config.autoRefundSeconds,
    undecidedSeconds: config.undecidedSeconds,
    arePartnerReferralsOn: config.arePartnerReferralsOn,
    approval: config.treasury.approval,
    areChainsLocal: config.sandbox,
    card: card && {
      provider: card.provider,
      rates: card.rates,
      publicUrl: config.publicUrl,
      miniAppUrl: config.site.settings.miniAppUrl,
      priceUsd: rates.priceUsd,
      askSeconds: config.sandbox ? SANDBOX_ASK_SECONDS : ASK_SECONDS,
    },
    ...wakes,
  });
  const pushKeys = config.push === null ? null : await openPushKeys(config.push.keys, database);
  return {
    config,
    log,
    securityLog,
    database,
    shared,
    leases,
    clock,
    catalogue,
    status,
    activity,
    pace,
    sandboxNetworks,
    readers,
    simulatedNetworks: new Set([...readers.keys()].filter((network) => !nodes.has(network))),
    wallets,
    partners,
    card,
    priceSnapshots,
    switches,
    availableBalances,
    rates,
    ratesVersion,
    orderViews,
    engine,
    creations,
    wakeWorkers: () => wakes.onJobs?.(),
    pushKeys,
  };
}

/** For orders that a sandbox plays: a provider that fails (contract §13). */
const withRefusing = (partners: ReadonlyMap<string, LiquidityPartner>): ReadonlyMap<string, LiquidityPartner> =>
  new Map([...partners, [REHEARSAL_PARTNER, createRefusingPartner(REHEARSAL_PARTNER)]]);

/** The same call, with `next` called once it has ended, well or badly. */
function followed<Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>, next: () => void) {
  return (...given: Given): Promise<Result> => call(...given).finally(next);
}
