import { claimDataDir } from "./base/data-dir.ts";
import { ConfigError, type Config } from "./config/config.ts";
import { measureExchange } from "./http/exchange-metrics.ts";
import { takeFreshPrices } from "./fresh-prices.ts";
import { openHouse, type Closers, type House } from "./services.ts";
import { createMetrics, serveMetrics } from "./http/metrics.ts";
import type { Log } from "./base/log.ts";
import { repeat } from "./base/loop.ts";
import { startWeb } from "./web.ts";
import { startWorker, type Worker } from "./worker.ts";

const LOOK_AT_HEADS_EVERY_MS = 2_000;
const REFRESH_TREASURY_EVERY_MS = 2_000;
const REFRESH_CLOCK_EVERY_MS = 1_000;
const REFRESH_PRICES_EVERY_MS = 1_000;

export type Running = {
  /** Where the site answers; null without the web role. */
  url: string | null;
  /** Drains what runs and closes everything, newest first. */
  stop(): Promise<void>;
};

/** Starts what ROLES asks for on this DATA_DIR. What was started before a failure is stopped again. */
export async function startRoles(config: Config, log: Log, options: { isDev: boolean }): Promise<Running> {
  const open: (() => Promise<void>)[] = [];
  const closers: Closers = { add: (close) => void open.push(close) };
  const stop = async () => {
    for (const close of open.splice(0).reverse()) await close();
  };
  try {
    return { url: await startInOrder(config, log, options, closers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startInOrder(
  config: Config,
  log: Log,
  options: { isDev: boolean },
  closers: Closers,
): Promise<string | null> {
  if (!config.roles.worker && config.databaseUrl === null)
    throw new ConfigError("ROLES=web needs DATABASE_URL: the database that its workers use");
  const claim = await claimDataDir(config.dataDir);
  closers.add(() => claim.release());

  let worker: Worker | null = null;
  const house = await openHouse(config, log, closers, () => {
    if (worker === null) house.shared.bus.tell("work");
    else worker.wake();
  });
  const heads = new Map<string, number>();
  for (const [network, reader] of house.readers) {
    const look = async () => void heads.set(network, (await reader.head()).height);
    const loop = repeat(`head ${network}`, LOOK_AT_HEADS_EVERY_MS, look, log);
    closers.add(() => loop.stop());
  }
  await keepUp(house, closers);
  if (config.roles.worker) {
    worker = await startWorker(house);
    closers.add(worker.stop);
  }
  const metrics = config.metricsPort === null ? null : createMetrics();
  if (metrics !== null) {
    measureExchange(metrics.registry, house.database, heads);
    const server = await serveMetrics(metrics, { host: config.host, port: config.metricsPort ?? 0 }, log);
    closers.add(async () => void server.close());
  }
  if (!config.roles.web) return null;

  const takePrices = () => takeFreshPrices(house, worker?.pricePublisher ?? null);
  await startWeb(house, { isDev: options.isDev, takePrices, metrics }, closers);
  return `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
}

/** Looks at what other processes may have changed: by turns, and at once when they say so. */
async function keepUp(house: House, closers: Closers): Promise<void> {
  const { bus } = house.shared;
  const refreshTreasury = () => Promise.all([house.switches.refresh(), house.availableBalances.refresh()]);
  // Whoever is sent to a web that has just started gets prices.
  await Promise.all([refreshTreasury(), house.priceSnapshots.refresh()]);
  const priceSnapshots = repeat(
    "price snapshots",
    REFRESH_PRICES_EVERY_MS,
    () => house.priceSnapshots.refresh(),
    house.log,
  );
  const clock = repeat("clock", REFRESH_CLOCK_EVERY_MS, () => house.clock.refresh(), house.log);
  const treasury = repeat("treasury view", REFRESH_TREASURY_EVERY_MS, refreshTreasury, house.log);
  const ends = [
    bus.on("price-snapshots", priceSnapshots.wake),
    bus.on("clock", clock.wake),
    bus.on("switches", treasury.wake),
  ];
  closers.add(async () => {
    for (const end of ends) end();
    await Promise.all([priceSnapshots.stop(), clock.stop(), treasury.stop()]);
  });
}
