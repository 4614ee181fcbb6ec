import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ACCOUNT_HELP, runAccountCommand } from "./accounts/index.ts";
import { loadCatalogue } from "./catalogue/index.ts";
import { StartupError } from "./base/processes/startup-error.ts";
import { publishOnce } from "./bus/index.ts";
import { readConfig, type Config } from "./config/config.ts";
import { lockDataDir } from "./base/processes/lock-file.ts";
import { correctWithdrawal, EARNINGS_HELP, runEarningsCommand } from "./earnings/index.ts";
import { restoreBackup, writeBackup } from "./db/backup/backup.ts";
import { openDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded/postgres.ts";
import { skipDepositAddresses } from "./db/backup/deposit-indexes.ts";
import { readTokenContracts } from "./db/token-contracts.ts";
import { inTransaction } from "./db/transaction.ts";
import { isDatabaseAway } from "./http/errors.ts";
import { createLog, safeText } from "./base/logging/log.ts";
import { printable } from "./base/logging/printable.ts";
import { BLACKLIST_HELP, runBlacklistCommand } from "./blacklist/operator.ts";
import { ARCHIVE_HELP, runArchiveCommand } from "./orders/archive/operator.ts";
import { CARD_HELP, runCardCommand } from "./orders/card/operator.ts";
import { GRANT_HELP, LOG_HASH_HELP, OperatorError, runGrantCommand, runLogHashCommand } from "./admin/index.ts";
import { HELD_HELP, runHeldCommand } from "./treasury/operator/held-commands.ts";
import { runSwitchCommand, SWITCH_HELP } from "./treasury/operator/switch-commands.ts";
import { RECOVERY_HELP, runRecoveryCommand } from "./treasury/operator/recovery-commands.ts";
import { NETWORK_HELP, runNetworkCommand } from "./chains/operator.ts";
import { RESCAN_HELP, runRescanCommand } from "./chains/follower/operator.ts";
import { createSwitches } from "./treasury/balances/switches.ts";
import { configuredPartners } from "./liquidity/index.ts";
import { EXCHANGE_HELP, runExchangeCommand } from "./liquidity/operator.ts";
import { runUndecidedCommand, UNDECIDED_HELP } from "./orders/undecided/operator.ts";
import { REFUND_HELP, runRefundCommand } from "./orders/refunds/operator.ts";
import { PRICES_HELP, runPricesCommand } from "./prices/operator.ts";
import { correctPayment } from "./orders/processing/correct-payment.ts";
import { runVerificationCommand, VERIFICATION_HELP } from "./verification/operator.ts";

/** Below DATA_DIR. */
const DATABASE_FOLDER = "postgres-18";
const log = createLog({ level: "silent" });
const HELP = [
  SWITCH_HELP,
  HELD_HELP,
  REFUND_HELP,
  UNDECIDED_HELP,
  EXCHANGE_HELP,
  CARD_HELP,
  RECOVERY_HELP,
  ARCHIVE_HELP,
  PRICES_HELP,
  NETWORK_HELP,
  RESCAN_HELP,
  LOG_HASH_HELP,
  BLACKLIST_HELP,
  GRANT_HELP,
  EARNINGS_HELP,
  ACCOUNT_HELP,
  VERIFICATION_HELP,
].join("\n");
/** The first words of the commands. */
const COMMANDS = new Set(HELP.split("\n").map((line) => line.split(" ")[4]));
/** For work that takes as long as there are rows. */
const NO_TIMEOUT = { max: 1, log, applicationName: "wherry-admin", limits: { query_timeout: 0 } };

process.exitCode = await main(process.argv.slice(2));

/** The admin CLI talks to the database, and to a partner whose exchange it adopts; running processes are notified of its changes, or find them within seconds. */
async function main(words: readonly string[]): Promise<number> {
  try {
    process.stdout.write(`${printable(await run(words))}\n`);
    return 0;
  } catch (error) {
    const isKnown = error instanceof OperatorError || error instanceof StartupError;
    const text = isKnown ? error.message : safeText(String(error));
    process.stderr.write(`${printable(isDatabaseAway(error) ? `The database can't be reached: ${text}` : text)}\n`);
    return 1;
  }
}

async function run(words: readonly string[]): Promise<string> {
  const [command, file] = words;
  if (command === "help" || command === "--help" || command === "-h") return HELP;
  if (command === undefined || !COMMANDS.has(command))
    throw new OperatorError(`${command === undefined ? "" : `There is no command ${command}.\n`}${HELP}`);
  const config = readConfig(process.env);
  if (command === "backup") return backUp(config, file);
  if (command === "restore") return restore(config, file);
  const { url: databaseUrl, close } = await openedUrl(config);
  const database = openDatabase(databaseUrl, { max: 1, log, applicationName: "wherry-admin" });
  try {
    // The tokens of a local node have contracts that no catalogue knows.
    const contractAddresses = await readTokenContracts(database);
    const catalogue = await loadCatalogue({ contractAddresses }, config.catalogueFile ?? undefined);
    const { instruments } = catalogue;
    const isScope = (scope: string) =>
      instruments.has(scope) || [...instruments.values()].some(({ networkTitle }) => networkTitle === scope);
    const parts = { database, catalogue: { instruments }, isRegtest: config.sandbox };
    const recovered = await runRecoveryCommand(database, catalogue, words, correctPayment, correctWithdrawal);
    const done =
      recovered ??
      (await runHeldCommand(parts, words)) ??
      (await runRefundCommand(parts, words)) ??
      (await runUndecidedCommand(parts, words)) ??
      (await runExchangeCommand(database, words, configuredPartners(config.partners))) ??
      (await runCardCommand(database, words)) ??
      (await runEarningsCommand({ database, catalogue }, words)) ??
      (await runArchiveCommand(database, words)) ??
      (await runPricesCommand({ database, catalogue }, words)) ??
      (await runNetworkCommand(database, words)) ??
      (await runRescanCommand(database, words)) ??
      (await runLogHashCommand(database, words)) ??
      (await runAccountCommand({ database, config }, words)) ??
      (await runBlacklistCommand(database, words)) ??
      (await runGrantCommand(database, words)) ??
      (await runVerificationCommand(database, config, words)) ??
      (await runSwitchCommand(createSwitches(database), isScope, words, HELP));
    await announce({ redisUrl: config.redisUrl, databaseUrl });
    return done;
  } finally {
    await database.close();
    await close();
  }
}

/** Servers read what a command has changed at once; they would find it by polling. */
async function announce(addresses: { redisUrl: string | null; databaseUrl: string }): Promise<void> {
  try {
    await publishOnce(addresses, ["switches", "work"]);
  } catch (error) {
    process.stderr.write(
      `Running servers find the change within seconds; they could not be notified: ${safeText(String(error))}\n`,
    );
  }
}

/** While the server runs: the backup is of one moment. */
async function backUp(config: Config, file: string | undefined): Promise<string> {
  if (file === undefined) throw new OperatorError("npm run admin -- backup FILE");
  const database = openDatabase(await urlOf(config), NO_TIMEOUT);
  try {
    return `${await writeBackup(database, file)} rows are in ${file}`;
  } catch (error) {
    throw fileError(error, `The backup can't be written to ${file}`);
  } finally {
    await database.close();
  }
}

/** While no server runs: into DATABASE_URL, or into a new database below DATA_DIR. */
async function restore(config: Config, file: string | undefined): Promise<string> {
  if (file === undefined) throw new OperatorError("npm run admin -- restore FILE");
  const lock = await lockDataDir(config.dataDir);
  const embedded = config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null;
  const database = openDatabase(config.databaseUrl ?? embedded?.url ?? "", NO_TIMEOUT);
  try {
    const rows = await restoreBackup(database, file);
    await inTransaction(database, skipDepositAddresses);
    return `${rows} rows are restored. Payments that the chains show and the backup lacks hold their network: npm run admin -- unknown-payments`;
  } finally {
    await database.close();
    await embedded?.stop();
    await lock.release();
  }
}

/** What failed of a file that the operator named; any other error as it is. */
function fileError(error: unknown, what: string): unknown {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "there is no such folder",
    ENOTDIR: "what should be a folder is none",
    EISDIR: "it is a folder",
    EACCES: "that is not allowed",
    EROFS: "that is not allowed",
    ENOSPC: "the disk is full",
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""];
  return reason === undefined ? error : new OperatorError(`${what}: ${reason}.`, { cause: error });
}

/** DATABASE_URL, or the database that a server runs on DATA_DIR at this moment. */
async function urlOf({ databaseUrl, dataDir }: Config): Promise<string> {
  const url = databaseUrl ?? (await runningDatabase(dataDir));
  if (url !== null) return url;
  throw new OperatorError(`No server runs on ${dataDir}: start it, or set DATA_DIR or DATABASE_URL as it has them.`);
}

/** Null where no server runs. */
async function runningDatabase(dataDir: string): Promise<string | null> {
  const folder = join(dataDir, DATABASE_FOLDER);
  try {
    const password = (await readFile(join(folder, "wherry-password"), "utf8")).trim();
    const port = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")[3];
    return `postgres://wherry:${password}@127.0.0.1:${port}/wherry`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return null;
  }
}

/** The database of a running server; else the one below DATA_DIR, started for the command: a start that is refused may need one first. */
async function openedUrl(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  const { databaseUrl, dataDir } = config;
  const running = databaseUrl ?? (await runningDatabase(dataDir));
  if (running !== null) return { url: running, close: async () => undefined };
  if (!existsSync(join(dataDir, DATABASE_FOLDER))) return { url: await urlOf(config), close: async () => undefined };
  const lock = await lockDataDir(dataDir);
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  return {
    url: embedded.url,
    close: async () => {
      await embedded.stop();
      await lock.release();
    },
  };
}
