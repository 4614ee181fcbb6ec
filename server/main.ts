import { openSecurityLog } from "./base/logging/security-log.ts";
import { superviseChild, type SupervisedChild } from "./base/processes/supervised-child.ts";
import { lockDataDir } from "./base/processes/lock-file.ts";
import { createLog, type Log } from "./base/logging/log.ts";
import { runProcess, type Closers } from "./base/processes/run-process.ts";
import { ConfigError } from "./base/processes/startup-error.ts";
import { readContentFiles } from "./content/index.ts";
import { readConfig, type Config } from "./config/config.ts";
import { requireEvmKeys } from "./config/evm.ts";
import { requirePublicUrl } from "./config/public-url.ts";
import { startEmbeddedPostgres } from "./db/embedded/postgres.ts";
import { createMetrics, measureChild, serveMetrics } from "./http/monitoring/metrics.ts";
import { withoutKeys } from "./keyless-config.ts";
import { startRoles } from "./roles.ts";

/** glibc gives each thread of V8 a heap of its own, which keeps what a burst of compiling took: 20 MB of an idle worker. */
const ONE_ARENA = { MALLOC_ARENA_MAX: "1" };

await main();

async function main(): Promise<void> {
  // npm repeats a Ctrl-C that the terminal has already sent: only the first one counts.
  const { url } = await runProcess(start, (stop) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  });
  process.stdout.write(url === null ? "ready\n" : `ready ${url}\n`);
}

/** Starts the roles of ROLES on DATA_DIR: both of them as two processes, this one and its worker. */
async function start(closers: Closers): Promise<{ url: string | null }> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel });
  requirePublicUrl(config);
  requireEvmKeys(config.evm);
  const { roles } = config;
  if (!roles.worker && config.databaseUrl === null)
    throw new ConfigError("ROLES=web needs DATABASE_URL: the database that its workers use");
  // Before a worker begins to pay that a page's file would stop again.
  if (roles.web) readContentFiles(config.site);
  await openSecurityLog(config.securityLog, log).close();
  const lock = await lockDataDir(config.dataDir);
  closers.add(() => lock.release());
  const databaseUrl = config.databaseUrl ?? (await startDatabase(config, log, closers));

  const isSplit = roles.web && roles.worker && config.hasWorkerProcess;
  const workerProcess = isSplit ? await startWorkerProcess(databaseUrl, log, closers) : null;
  const metrics = config.metrics === null ? null : createMetrics({ web: roles.web, worker: roles.worker && !isSplit });
  const here = { ...(isSplit ? withoutKeys(config) : config), databaseUrl };
  const url = await startRoles(here, log, closers, { metrics, workerProcess });
  if (config.metrics !== null && metrics !== null) {
    if (workerProcess !== null) measureChild(metrics, workerProcess);
    const server = await serveMetrics(
      metrics,
      config.metrics,
      log,
      () => workerProcess?.metrics() ?? Promise.resolve(null),
    );
    closers.add(async () => void server.close());
  }
  return { url };
}

async function startDatabase({ dataDir }: Config, log: Log, closers: Closers): Promise<string> {
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  closers.add(() => embedded.stop());
  return embedded.url;
}

/** The worker of the default start: a block that keeps it busy holds up no request. */
async function startWorkerProcess(databaseUrl: string, log: Log, closers: Closers): Promise<SupervisedChild> {
  const env = { ...ONE_ARENA, ...process.env, ROLES: "worker", DATABASE_URL: databaseUrl };
  const entry = new URL("./worker-process.ts", import.meta.url);
  const workerProcess = await superviseChild({ name: "worker", entry, env, log });
  closers.add(workerProcess.stop);
  return workerProcess;
}
