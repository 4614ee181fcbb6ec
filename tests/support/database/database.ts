import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { emptyTables } from "./empty-tables.ts";
import { restoreRows, saveRows, type SavedRows } from "./saved-rows.ts";

const log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "fatal" });

/** A busy machine takes its time to end a session. */
const ENDS_WITHIN_MS = 30_000;

/** PostgreSQL's "object_in_use". */
const OBJECT_IN_USE = "55006";

export interface TestDatabase extends Database, AsyncDisposable {
  /**
   * A database of its own with the same rows. Ends this pool: nobody may be connected to what is copied, now or later. A copy that
   * was dropped gets its first rows back and is given again.
   */
  copy(options?: { max?: number }): Promise<TestDatabase>;
  /** Deletes all rows of these tables, and of every table that refers to one of them, as `truncate … cascade` does. */
  empty(...tables: readonly string[]): Promise<void>;
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

async function copyOf(template: string, { max = 10 }: { max?: number }): Promise<TestDatabase> {
  const clone = await cloneOf(template);
  const database = opened(clone.url, max);
  return withCopies(database, async () => {
    await database.close();
    await clone.remove();
  });
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

const opened = (url: string, max: number): Database => openDatabase(url, { max, log, applicationName: nameIn(url) });

async function cloneOf(template: string): Promise<{ url: string; remove(): Promise<void> }> {
  const { admin, ...server } = await (testServer ??= connectToServer());
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Copied as files: both this and dropping it take a fraction of what a copy through the log does.
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const remove = async () => {
    const until = performance.now() + ENDS_WITHIN_MS;
    // A session that was still opening is in no list when the others are ended, and keeps the database once it is open.
    for (;;) {
      await endSessions(name);
      try {
        await admin.query(`drop database ${name}`);
        return;
      } catch (error) {
        if (!isDatabaseInUse(error) || performance.now() > until) throw error;
      }
    }
  };
  return { url: url.href, remove };
}

function withCopies(database: Database, remove: () => Promise<void>): TestDatabase {
  const spares: Spare[] = [];
  let dropped: Promise<void> | undefined;
  const drop = (): Promise<void> =>
    (dropped ??= (async () => {
      for (const spare of spares) {
        await spare.database.close();
        await spare.remove();
      }
      await remove();
    })());
  const copy: TestDatabase["copy"] = async ({ max = 10 } = {}) => {
    await database.close();
    const spare = spares.pop() ?? (await spareOf(nameIn(database.url), max));
    if (spare.database.pool.ending || spare.database.pool.options.max !== max) {
      await spare.database.close();
      spare.database = opened(spare.database.url, max);
    }
    return withCopies(spare.database, async () => {
      // Sessions that do nothing stay for the next one: what they know of the tables serves it too.
      await endSessions(nameIn(spare.database.url), "state <> 'idle'");
      if (spare.database.pool.ending) spare.database = opened(spare.database.url, max);
      await restoreRows(spare.database.pool, spare.saved);
      spares.push(spare);
    });
  };
  const empty: TestDatabase["empty"] = (...tables) => emptyTables(database.pool, tables);
  return { ...database, copy, empty, drop, [Symbol.asyncDispose]: drop };
}

/** A copy that nobody uses, with the rows that it began with. */
type Spare = { database: Database; readonly saved: SavedRows; remove(): Promise<void> };

/** Once copied, a database takes back its rows in a fifth of the time that copying and dropping another one takes: 20 ms against 105 ms of a processor. */
async function spareOf(template: string, max: number): Promise<Spare> {
  await endSessions(template);
  const { url, remove } = await cloneOf(template);
  return { database: opened(url, max), saved: await saveRows(url), remove };
}

/** Not "with (force)": that is refused while an autovacuum worker, a superuser's process, is in the database. */
async function endSessions(name: string, only = "true"): Promise<void> {
  const { admin } = await (testServer ??= connectToServer());
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user and ${only}`;
  const until = performance.now() + ENDS_WITHIN_MS;
  // PostgreSQL's own wait for the end of a session looks every 100 ms only.
  while (((await admin.query(end)).rowCount ?? 0) > 0)
    if (performance.now() > until) throw new Error(`the sessions of ${name} don't end`);
}

const isDatabaseInUse = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === OBJECT_IN_USE;

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
