import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Log } from "../base/logging/log.ts";
import { StartupError } from "../base/processes/startup-error.ts";
import type { Schema } from "./schema.ts";
import { valueTypes } from "./value-types.ts";
import type { Duplex } from "node:stream";

export interface Database {
  readonly url: string;
  readonly log: Log;
  readonly kysely: Kysely<Schema>;
  readonly pool: pg.Pool;
  /** Waits for the queries that hold a connection, then closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The maximum number of connections of this process. */
  max: number;
  log: Log;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Limits in milliseconds; 0 switches one off. */
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
  // Ends the wait for a server that hangs and so can't enforce its own limits.
  query_timeout: 20_000,
};

/** Longer than most loops pause: by default each of their turns would open its connection anew. */
const IDLE_CONNECTION_MS = 20_000;

/** Throws `StartupError` with the reason for a database that can't be reached or doesn't let us in; it never names the password. */
export async function requireReachable({ pool }: Pick<Database, "pool">): Promise<void> {
  try {
    await pool.query("select 1");
  } catch (error) {
    throw new StartupError(`DATABASE_URL can't be reached (${reasonOf(error)})`, { cause: error });
  }
}

/** Of several addresses that a host has, the first. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** A pool of connections and the typed query builder over it; connects on first use, reconnects after a restart of the server. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const { log } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    types: valueTypes,
    ...defaultLimits,
    ...options.limits,
  });
  // Without these listeners a connection that dies between two queries ends the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  pool.on("connect", (client) => {
    cutWhenHung(client);
    client.on("error", (error) => log.debug({ err: error }, "a database connection was lost"));
  });
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { url, log, kysely, pool, close: () => kysely.destroy() };
}

/**
 * Cuts a connection whose server process says nothing within the query's time-out. Without this it goes back to the pool with that query
 * still waiting, and hangs whoever gets it next; a process that is stopped answers nothing more, and its socket stays open.
 */
function cutWhenHung(client: pg.PoolClient): void {
  // Looked up at each call: who counts statements replaces the method of the class.
  const methods = Object.getPrototypeOf(client) as { query: (...given: unknown[]) => unknown };
  Object.assign(client, {
    query: (...given: unknown[]): unknown => {
      const result = Reflect.apply(methods.query, client, given);
      if (!(result instanceof Promise)) return result;
      return result.catch(async (error: unknown) => {
        if (error instanceof Error && error.message === "Query read timeout") await cut(client.connection.stream);
        throw error;
      });
    },
  });
}

/** Once it is closed the pool no longer takes the connection back. */
async function cut(stream: Duplex): Promise<void> {
  if (stream.closed) return;
  const closed = new Promise((resolve) => stream.once("close", resolve));
  stream.destroy();
  await closed;
}
