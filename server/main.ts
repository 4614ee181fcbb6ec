import { lockDataDir } from "./base/lock-file.ts";
import { createLog, safeText, type Log } from "./base/log.ts";
import { repeat, throttle } from "./base/loop.ts";
import { ConfigError, StartupError } from "./base/startup-error.ts";
import { watchHeads } from "./chains/watch-heads.ts";
import { readConfig, type Config } from "./config/config.ts";
import { measureExchange } from "./http/exchange-metrics.ts";
import { createMetrics, serveMetrics } from "./http/metrics.ts";
import { createServices, type Closers, type Services } from "./services.ts";
import { startWeb } from "./web.ts";
import { startWorker, type Worker } from "./worker.ts";

const STOP_TIMEOUT_MS = 30_000;
/** What other processes change is published; these find what was missed. */
const TREASURY_EVERY_MS = 5_000;
const CLOCK_EVERY_MS = 5_000;
const PRICES_EVERY_MS = 5_000;
/** The available balances change with every order and payment: they are read at most this often. */
const TREASURY_GAP_MS = 2_000;

type Running = {
  /** The origin that the site is served at; null without the web role. */
  url: string | null;
  /** Drains and closes everything, newest first. */
  stop(): Promise<void>;
};

await main();

async function main(): Promise<void> {
  const running = await startProcess();
  if (running === null) return;
  process.stdout.write(running.url === null ? "ready\n" : `ready ${running.url}\n`);
}

async function startProcess(): Promise<Running | null> {
  try {
    const config = readConfig(process.env);
    const log = createLog({ level: config.logLevel });
    const starting = start(config, log);
    // A signal during the start waits for its end, so that everything is stopped in order.
    // npm repeats a Ctrl-C that the terminal has already sent: only the first one counts.
    let isStopping = false;
    const stopOnce = () => {
      if (!isStopping) void stopAfter(starting);
      isStopping = true;
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stopOnce);
    return await starting;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
    return null;
  }
}

async function stopAfter(starting: Promise<Running>): Promise<void> {
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  try {
    await (await starting).stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/** An error that the operator can act on is its message; any other is a defect and keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return safeText(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** Starts the roles of ROLES on DATA_DIR. A failed start closes what it had opened. */
async function start(config: Config, log: Log): Promise<Running> {
  const open: (() => Promise<void>)[] = [];
  const closers: Closers = { add: (close) => void open.push(close) };
  const stop = async () => {
    for (const close of open.splice(0).reverse()) await close();
  };
  try {
    return { url: await startRoles(config, log, closers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startRoles(config: Config, log: Log, closers: Closers): Promise<string | null> {
  if (!config.roles.worker && config.databaseUrl === null)
    throw new ConfigError("ROLES=web needs DATABASE_URL: the database that its workers use");
  const lock = await lockDataDir(config.dataDir);
  closers.add(() => lock.release());

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
  const loops = watchHeads(services);
  for (const loop of loops.values()) closers.add(() => loop.stop());
  const subscriptions = [
    activity.onBegin((network) => loops.get(network)?.wake()),
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
  const metrics = config.metrics === null ? null : createMetrics();
  if (config.metrics !== null && metrics !== null) {
    const { readers, status } = services;
    const figures = () => new Map([...readers.keys()].map((network) => [network, status.figures(network)]));
    measureExchange(metrics.registry, services.database, figures);
    const server = await serveMetrics(metrics, config.metrics, log);
    closers.add(async () => void server.close());
  }
  if (!config.roles.web) return null;

  const isDev = process.env["SITE"] === "dev";
  await startWeb(services, { isDev, pricePublisher: worker?.pricePublisher ?? null, metrics }, closers);
  return `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
}

/** Reloads what other processes change: periodically, and at once when they publish an invalidation. */
async function refreshSharedState(services: Services, closers: Closers): Promise<void> {
  const { priceSnapshots, clock, log, availableBalances, switches } = services;
  const { bus } = services.shared;
  const refreshTreasury = () => Promise.all([switches.refresh(), availableBalances.refresh()]);
  // Loaded before the process answers: its first requests get prices.
  await Promise.all([refreshTreasury(), priceSnapshots.refresh()]);
  const pricesLoop = repeat("price snapshots", PRICES_EVERY_MS, () => priceSnapshots.refresh(), log);
  const clockLoop = repeat("clock", CLOCK_EVERY_MS, () => clock.refresh(), log);
  const treasuryLoop = repeat("treasury view", TREASURY_EVERY_MS, refreshTreasury, log);
  const treasuryWork = throttle(TREASURY_GAP_MS, treasuryLoop.wake);
  const subscriptions = [
    bus.on("price-snapshots", pricesLoop.wake),
    bus.on("clock", clockLoop.wake),
    bus.on("switches", treasuryLoop.wake),
    bus.on("work", treasuryWork.call),
  ];
  closers.add(async () => {
    treasuryWork.stop();
    for (const unsubscribe of subscriptions) unsubscribe();
    await Promise.all([pricesLoop.stop(), clockLoop.stop(), treasuryLoop.stop()]);
  });
}
