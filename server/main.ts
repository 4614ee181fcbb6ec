import { ConfigError, readConfig } from "./config/config.ts";
import { CatalogueError } from "./catalogue/index.ts";
import { FolderInUseError } from "./base/data-dir.ts";
import { DatabaseNewerError } from "./db/migrate.ts";
import { createLog } from "./base/log.ts";
import { DevnetError } from "./devnet/evm/errors.ts";
import { UnknownVenueError } from "./rates/market/venue-ccxt.ts";
import { startRoles, type Running } from "./roles.ts";

const KNOWN = [ConfigError, CatalogueError, FolderInUseError, DatabaseNewerError, DevnetError, UnknownVenueError];
const GIVE_UP_STOPPING_MS = 30_000;

await main();

async function main(): Promise<void> {
  const running = await start();
  if (running === null) return;
  process.stdout.write(running.url === null ? "ready\n" : `ready ${running.url}\n`);
}

async function start(): Promise<Running | null> {
  try {
    const config = readConfig(process.env);
    const log = createLog({ level: config.logLevel });
    const starting = startRoles(config, log, { isDev: process.env["SITE"] === "dev" });
    // A signal during the start waits for it, so that whatever was started is stopped in order.
    // npm sends Ctrl-C a second time to what the terminal has already told: only the first counts.
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
  setTimeout(() => process.exit(1), GIVE_UP_STOPPING_MS).unref();
  try {
    await (await starting).stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/** What a person who starts the app can act on is one message; anything else is a defect and keeps its trace. */
function explain(error: unknown): string {
  if (KNOWN.some((known) => error instanceof known)) return error instanceof Error ? error.message : String(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
