import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { createLog } from "../../../server/base/logging/log.ts";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import type { Schema } from "../../../server/db/schema.ts";
import { BEFORE_COMMIT, type CrashPoints } from "./crash-points.ts";

const log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
const MAX_CONNECTIONS = 4;
let processes = 0;

/** By database, the connections of a process that has ended and left nothing open: with new ones for each, a crash test took twice the processor time. */
const idle = new Map<string, Connections>();

/**
 * Runs `work` over connections of its own, as a process would, until it is done or dies at a point. Returns the name of the point where it
 * died, null when it did not. What a dead process had not committed is rolled back, and it asks the database nothing more.
 */
export async function runProcess(
  outside: Pick<Database, "url" | "pool">,
  points: CrashPoints | null,
  work: (database: Database) => Promise<unknown>,
): Promise<string | null> {
  const connections = idle.get(outside.url) ?? Connections.to(outside.url);
  idle.delete(outside.url);
  const life = connections.lent();
  const ended = work(life.database).then(() => null);
  const died = points === null ? await ended : await Promise.race([points.crashed, ended]);
  life.end();
  if (await connections.areFree(died)) idle.set(outside.url, connections);
  else await connections.cut(outside);
  return died;
}

/** A pool that processes use one after the other. */
class Connections {
  readonly #name: string;
  readonly #database: Database;
  readonly #used = new Set<pg.PoolClient>();

  private constructor(name: string, database: Database) {
    this.#name = name;
    this.#database = database;
    database.pool.on("acquire", (client) => this.#used.add(client));
    database.pool.on("release", (_error, client) => this.#used.delete(client));
  }

  static to(url: string): Connections {
    processes += 1;
    const name = `process-${processes}`;
    return new Connections(name, openDatabase(url, { max: MAX_CONNECTIONS, log, applicationName: name }));
  }

  /** For one process: once that has ended, whatever of it goes on in memory waits for ever. */
  lent(): { database: Database; end(): void } {
    const { pool } = this.#database;
    let hasEnded = false;
    const whileAlive =
      (ask: (...given: unknown[]) => unknown) =>
      async (...given: unknown[]): Promise<unknown> => {
        const answer = hasEnded ? NEVER : await ask(...given);
        return hasEnded ? NEVER : answer;
      };
    const methods = {
      connect: whileAlive(() => pool.connect()),
      query: whileAlive((...given) => Reflect.apply(pool.query, pool, given)),
      end: async () => undefined,
    };
    const lent = new Proxy(pool, { get: (target, name) => Reflect.get(name in methods ? methods : target, name) });
    const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: lent }) });
    return { database: { ...this.#database, kysely, pool: lent }, end: () => void (hasEnded = true) };
  }

  /** Whether nothing of the process that has ended is open any more; the transaction that it died in is rolled back. */
  async areFree(died: string | null): Promise<boolean> {
    const { pool } = this.#database;
    const [client, ...others] = this.#used;
    if (died === BEFORE_COMMIT && client !== undefined && others.length === 0) {
      await client.query("rollback");
      client.release();
    }
    return pool.idleCount === pool.totalCount && pool.waitingCount === 0;
  }

  /** Ends the sessions, with what they had not committed. */
  async cut(outside: Pick<Database, "pool">): Promise<void> {
    await cutConnections(outside, this.#name);
    this.#database.pool.end().catch((error: unknown) => log.debug({ err: error }, "a dead process's pool"));
  }
}

const NEVER = new Promise<never>(() => undefined);

/** Ends a process's sessions; what they had locked is free after this. */
export async function cutConnections({ pool }: Pick<Database, "pool">, applicationName: string): Promise<void> {
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = $1`;
  // PostgreSQL's own wait for the end of a session looks every 100 ms only.
  while (((await pool.query(cut, [applicationName])).rowCount ?? 0) > 0);
}

const DUE_NOW = ["orders", "payouts", "sweeps", "partner_exchanges"].map(
  (table) => `update ${table} set next_attempt_at = to_timestamp(0) where next_attempt_at is not null`,
);
const RETRY_NOW = "update job_failures set paused_until = to_timestamp(0)";
const RESEND_NOW = "update payouts set resend_at = null where resend_at is not null";
const REPLACE_NOW = "update payouts set replace_at = to_timestamp(0) where replace_at is not null";

/** Lets leases, pauses and retries run out; `replacements`: no block has taken a payment for long enough to replace it, too. */
export async function timePasses(
  { pool }: Pick<Database, "pool">,
  { replacements = false }: { replacements?: boolean } = {},
): Promise<void> {
  // One round trip: scenarios let time pass before each block.
  await pool.query([...DUE_NOW, RETRY_NOW, RESEND_NOW, ...(replacements ? [REPLACE_NOW] : [])].join("; "));
}
