import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { createLog } from "../../server/base/log.ts";

const log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "fatal" });

/** Dropping waits five seconds for others, which a busy machine may need longer to end. */
const ENDS_WITHIN_MS = 30_000;

export interface TestDatabase extends Database, AsyncDisposable {
  /** A database of its own with the same rows. Ends this pool: nobody may be connected to what is copied, now or later. */
  copy(options?: { max?: number }): Promise<TestDatabase>;
  /** Closes this pool and drops the database, also under other connections to it. */
  drop(): Promise<void>;
}

/**
 * A database of its own on the run's real PostgreSQL: a clone of the migrated template, or empty. Use `await using`, or
 * `drop()` in an after hook.
 */
export function freshDatabase(options: { empty?: boolean; max?: number } = {}): Promise<TestDatabase> {
  return copyOf(options.empty ? "template1" : "wherry_template", options);
}

async function copyOf(template: string, options: { max?: number }): Promise<TestDatabase> {
  const server = await (testServer ??= connectToServer());
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Copied as files: both this and dropping it take a fraction of what a copy through the log does.
  await server.admin.query(`create database ${name} template ${template} strategy file_copy`);

  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href, { max: options.max ?? 10, log, applicationName: name });
  let dropped: Promise<void> | undefined;
  const drop = (): Promise<void> =>
    (dropped ??= (async () => {
      await database.close();
      // Not "with (force)": that is refused while an autovacuum worker, a superuser's process, is in the database.
      await server.admin.query(
        `select pg_terminate_backend(pid, ${ENDS_WITHIN_MS}) from pg_stat_activity where datname = '${name}' and usename = current_user`,
      );
      await server.admin.query(`drop database ${name}`);
    })());
  const copy: TestDatabase["copy"] = async (copied = {}) => {
    await database.close();
    return copyOf(name, copied);
  };
  return { ...database, copy, drop, [Symbol.asyncDispose]: drop };
}

/** The run's server, and connections that make and drop databases. One for each test file. */
let testServer: Promise<{ url: string; admin: pg.Pool }> | undefined;

async function connectToServer(): Promise<{ url: string; admin: pg.Pool }> {
  const answer = await fetch(inject("databaseServer"));
  const url = await answer.text();
  if (!answer.ok) throw new Error(`the test database did not start: ${url}`);
  const admin = new pg.Pool({ connectionString: url, allowExitOnIdle: true });
  // The server ends before the last worker does.
  admin.on("error", (error) => log.debug({ err: error }, "a connection to the test database was lost"));
  return { url, admin };
}

declare module "vitest" {
  interface ProvidedContext {
    /** Answers a GET with the URL of the run's PostgreSQL, started by the first one. */
    databaseServer: string;
  }
}
