import type { SupervisedChild } from "./base/processes/supervised-child.ts";
import type { Log } from "./base/logging/log.ts";
import { repeat, throttle } from "./base/concurrency/loop.ts";
import type { Closers } from "./base/processes/run-process.ts";
import { shareNetworkStatus, watchHeads } from "./chains/watch-heads.ts";
import { measureExchange } from "./exchange-metrics.ts";
import type { Metrics } from "./http/monitoring/metrics.ts";
import { createServices, type Services, type ServicesConfig } from "./services.ts";
import { startWeb } from "./web.ts";
import { startWorker, type Worker } from "./worker.ts";

/** What other processes change is published; these find what was missed. */
const TREASURY_EVERY_MS = 15_000;
const CLOCK_EVERY_MS = 5_000;
const PRICES_EVERY_MS = 10_000;
/** The available balances change with every order and payment: they are read at most this often. */
const TREASURY_GAP_MS = 2_000;

export type RolesOptions = {
  /** Gets the figures of the exchange and of HTTP; null: nobody asks for them. */
  metrics?: Metrics | null;
  /** The worker that this process has started beside itself; null where there is none. */
  workerProcess?: SupervisedChild | null;
};

/** Starts the roles of the configuration in this process. Resolves to the origin that the site is served at; null without the web role. */
export async function startRoles(
  config: ServicesConfig,
  log: Log,
  closers: Closers,
  { metrics = null, workerProcess = null }: RolesOptions = {},
): Promise<string | null> {
  let worker: Worker | null = null;
  const services = await createServices(config, log, closers, {
    onJobs: () => {
      orderViews.clear();
      worker?.wake();
      bus.publish("orders");
      bus.publish("work");
    },
    onCreated: () => {
      activity.wake();
      bus.publish("work");
    },
  });
  const { activity, orderViews } = services;
  const { bus } = services.shared;
  const loops = await watchHeads(services);
  for (const loop of loops.values()) closers.add(() => loop.stop());
  const subscriptions = [
    activity.onBegin((network) => loops.get(network)?.wake()),
    shareNetworkStatus(services.status, loops, bus),
    bus.on("work", activity.wake),
    bus.on("networks", activity.wakeAll),
    bus.on("orders", orderViews.clear),
  ];
  closers.add(async () => subscriptions.forEach((unsubscribe) => unsubscribe()));
  await refreshSharedState(services, closers);
  if (config.roles.worker) {
    worker = await startWorker(services);
    closers.add(worker.stop);
  }
  if (metrics !== null) {
    const { readers, status } = services;
    const figures = () => new Map([...readers.keys()].map((network) => [network, status.figures(network)]));
    measureExchange(metrics.registry, services.database, figures);
  }
  if (!config.roles.web) return null;

  const isDev = process.env["SITE"] === "dev";
  const pricePublisher = worker?.pricePublisher ?? null;
  const isWorkerUp = () => workerProcess?.isUp() ?? true;
  await startWeb(services, { isDev, pricePublisher, isWorkerUp, metrics }, closers);
  return `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
}

/** Reloads what other processes change: periodically, and at once when they publish an invalidation. */
async function refreshSharedState(services: Services, closers: Closers): Promise<void> {
  const { priceSnapshots, clock, log, availableBalances, switches } = services;
  const { bus } = services.shared;
  const refreshTreasury = () => Promise.all([switches.refresh(), availableBalances.refresh()]);
  // Loaded before the process answers: its first requests get prices.
  await Promise.all([refreshTreasury(), priceSnapshots.refresh()]);
  let changedAt = performance.now();
  let isChangeKnown = true;
  const unfollow = priceSnapshots.onChange(() => void (changedAt = performance.now()));
  const refreshPrices = async () => {
    // The publisher's own process hears no message of its own, and needs no poll either.
    if (isChangeKnown && performance.now() - changedAt < PRICES_EVERY_MS / 2) return;
    isChangeKnown = true;
    await priceSnapshots.refresh();
  };
  const pricesLoop = repeat("price snapshots", PRICES_EVERY_MS, refreshPrices, log);
  const clockLoop = repeat("clock", CLOCK_EVERY_MS, () => clock.refresh(), log);
  const treasuryLoop = repeat("treasury view", TREASURY_EVERY_MS, refreshTreasury, log);
  const treasuryWork = throttle(TREASURY_GAP_MS, treasuryLoop.wake);
  const subscriptions = [
    bus.on("price-snapshots", () => {
      isChangeKnown = false;
      pricesLoop.wake();
    }),
    bus.on("clock", clockLoop.wake),
    bus.on("switches", treasuryLoop.wake),
    bus.on("work", treasuryWork.call),
  ];
  closers.add(async () => {
    treasuryWork.stop();
    unfollow();
    for (const unsubscribe of subscriptions) unsubscribe();
    await Promise.all([pricesLoop.stop(), clockLoop.stop(), treasuryLoop.stop()]);
  });
}
