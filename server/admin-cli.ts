import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadCatalogue } from "./catalogue/index.ts";
import { StartupError } from "./base/startup-error.ts";
import { readConfig, type Config } from "./config/config.ts";
import { openDatabase } from "./db/database.ts";
import { isDatabaseAway } from "./http/errors.ts";
import { createLog } from "./base/log.ts";
import { runOperatorCommand, OperatorError } from "./treasury/operator-commands.ts";
import { createSwitches } from "./treasury/switches.ts";

process.exitCode = await main(process.argv.slice(2));

/** The admin CLI talks to the database only; every running process reads its changes within two seconds. */
async function main(words: readonly string[]): Promise<number> {
  try {
    process.stdout.write(`${await run(words)}\n`);
    return 0;
  } catch (error) {
    const isKnown = error instanceof OperatorError || error instanceof StartupError;
    const text = isKnown ? error.message : String(error);
    process.stderr.write(`${isDatabaseAway(error) ? `The database can't be reached: ${text}` : text}\n`);
    return 1;
  }
}

async function run(words: readonly string[]): Promise<string> {
  const config = readConfig(process.env);
  const { instruments } = await loadCatalogue({}, config.catalogueFile ?? undefined);
  const isScope = (scope: string) =>
    instruments.has(scope) || [...instruments.values()].some(({ networkTitle }) => networkTitle === scope);
  const log = createLog({ level: "silent" });
  const database = openDatabase(await urlOf(config), { max: 1, log, applicationName: "wherry-admin" });
  try {
    return await runOperatorCommand(createSwitches(database), isScope, words);
  } finally {
    await database.close();
  }
}

/** DATABASE_URL, or the database that a server runs on DATA_DIR at this moment. */
async function urlOf({ databaseUrl, dataDir }: Config): Promise<string> {
  if (databaseUrl !== null) return databaseUrl;
  const folder = join(dataDir, "postgres-18");
  try {
    const password = (await readFile(join(folder, "wherry-password"), "utf8")).trim();
    const port = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")[3];
    return `postgres://wherry:${password}@127.0.0.1:${port}/wherry`;
  } catch (error) {
    throw new OperatorError(`No server runs on ${dataDir}: start it, or set DATA_DIR or DATABASE_URL as it has them.`, {
      cause: error,
    });
  }
}
