import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { Migrator, type Migration, type MigrationProvider } from "kysely/migration";
import { openDatabase, type Database } from "./database.ts";
import { StartupError } from "../base/processes/startup-error.ts";

const migrationsFolder = fileURLToPath(new URL("./migrations/", import.meta.url));

/**
 * The database has had migrations that this version of the program does not know.
 *
 * @internal Exported for its tests.
 */
export class DatabaseNewerError extends StartupError {
  override name = "DatabaseNewerError";
  readonly unknownMigrations: readonly string[];

  constructor(unknownMigrations: readonly string[]) {
    super(
      `The database was made by a newer version of this program (it has ${unknownMigrations.join(", ")}). ` +
        "Start that version, or use another database.",
    );
    this.unknownMigrations = unknownMigrations;
  }
}

/**
 * Brings the database to the state of this code and gives the names of the migrations that it ran. Several processes may call it
 * at once: one migrates, the others wait. All of a call's migrations are one transaction; `until` names the last one to run.
 * Throws `DatabaseNewerError`.
 */
export async function migrate(
  database: Database,
  { folder = migrationsFolder, until }: { folder?: string; until?: string } = {},
): Promise<string[]> {
  // A connection of its own, because a migration may take longer than a query of the running app is allowed to.
  const patient = openDatabase(database.url, {
    max: 1,
    log: database.log,
    applicationName: "wherry-migrate",
    limits: { query_timeout: 0 },
  });
  try {
    await sql`set statement_timeout = 0`.execute(patient.kysely);
    await sql`set idle_in_transaction_session_timeout = 0`.execute(patient.kysely);
    await sql`set lock_timeout = '30s'`.execute(patient.kysely);
    const provider = sqlFiles(folder);
    const migrator = new Migrator({ db: patient.kysely, provider });
    const { error, results = [] } = await (until === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(until));
    if (error !== undefined) {
      await refuseNewer(patient, await provider.getMigrations());
      const failed = results.find((result) => result.status === "Error");
      const what = failed === undefined ? "The migrations" : `Migration ${failed.migrationName}`;
      throw new Error(`${what} failed: ${error instanceof Error ? error.message : "unknown"}`, { cause: error });
    }
    const applied = results.map((result) => result.migrationName);
    if (applied.length > 0) database.log.info({ migrations: applied }, "database migrated");
    return applied;
  } finally {
    await patient.close();
  }
}

/** Migrations are `NNNN_name.sql`, run in the order of their numbers. */
function sqlFiles(folder: string): MigrationProvider {
  return {
    async getMigrations() {
      const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
      const migrations: Record<string, Migration> = {};
      const numbers = new Map<string, string>();
      for (const file of files) {
        const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1];
        if (number === undefined) throw new Error(`${file} is not named like a migration (0001_what_it_adds.sql)`);
        const twin = numbers.get(number);
        if (twin !== undefined) throw new Error(`two migrations have the number ${number}: ${twin} and ${file}`);
        numbers.set(number, file);
        const text = await readFile(join(folder, file), "utf8");
        migrations[file.slice(0, -".sql".length)] = {
          up: async (transaction) => void (await sql.raw(text).execute(transaction)),
        };
      }
      return migrations;
    },
  };
}

async function refuseNewer(database: Database, known: Record<string, Migration>): Promise<void> {
  const { rows } = await database.pool.query<{ present: boolean }>(
    "select to_regclass('kysely_migration') is not null as present",
  );
  if (!rows[0]?.present) return;
  const applied = await database.pool.query<{ name: string }>("select name from kysely_migration order by name");
  const unknown = applied.rows.map((row) => row.name).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) throw new DatabaseNewerError(unknown);
}
