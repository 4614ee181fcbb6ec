import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { createLog } from "../../server/base/log.ts";

/** Dropping waits five seconds for others, which a busy machine may need longer to end. */
const ENDS_WITHIN_MS = 30_000;

export interface TestDatabase extends Database, AsyncDisposable {
  /** Closes this pool and drops the database, also under other connections to it. */
  drop(): Promise<void>;
}

/**
 * A database of its own on the run's real PostgreSQL: a clone of the migrated template, or empty. Use `await using`, or
 * `drop()` in an after hook.
 */
export async function freshDatabase(options: { empty?: boolean; max?: number } = {}): Promise<TestDatabase> {
  const serverUrl = await testServerUrl();
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Copied as files: both this and dropping it take a fraction of what a copy through the log does.
  const template = options.empty ? "template1" : "wherry_template";
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);

  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "fatal" });
  const database = openDatabase(url.href, { max: options.max ?? 10, log, applicationName: name });
  let dropped: Promise<void> | undefined;
  const drop = (): Promise<void> =>
    (dropped ??= (async () => {
      await database.close();
      // Not "with (force)": that is refused while an autovacuum worker, a superuser's process, is in the database.
      await onServer(
        serverUrl,
        `select pg_terminate_backend(pid, ${ENDS_WITHIN_MS}) from pg_stat_activity where datname = '${name}' and usename = current_user`,
      );
      await onServer(serverUrl, `drop database ${name}`);
    })());
  return { ...database, drop, [Symbol.asyncDispose]: drop };
}

async function testServerUrl(): Promise<string> {
  const answer = await fetch(inject("databaseServer"));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the test database did not start: ${text}`);
  return text;
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

declare module "vitest" {
  interface ProvidedContext {
    /** Answers a GET with the URL of the run's PostgreSQL, started by the first one. */
    databaseServer: string;
  }
}
