import { sql } from "kysely";
import type { Database } from "../../server/db/database.ts";

const ROUND_ONE = Date.UTC(2026, 0, 1);

/**
 * One clock for the engine and its database: `now()` of every later connection to the database reads it, so that leases and retries
 * run by it too and a run is the same at any speed.
 */
export class VirtualTime {
  readonly #database: Database;
  #at = ROUND_ONE;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async over(database: Database): Promise<VirtualTime> {
    const name = new URL(database.url).pathname.slice(1);
    await sql`create schema simulated`.execute(database.kysely);
    await sql`create table simulated.clock (at timestamptz not null)`.execute(database.kysely);
    await sql`insert into simulated.clock values (${new Date(ROUND_ONE)})`.execute(database.kysely);
    await sql`create function simulated.now() returns timestamptz language sql stable as 'select at from simulated.clock'`.execute(
      database.kysely,
    );
    // What is found before pg_catalog shadows it.
    await sql`alter database ${sql.id(name)} set search_path = simulated, pg_catalog, public`.execute(database.kysely);
    // This connection was opened before: its pool may keep it, and it would go on by the machine's own clock.
    await sql`set search_path = simulated, pg_catalog, public`.execute(database.kysely);
    await stopAutovacuum(database);
    return new VirtualTime(database);
  }

  now(): Date {
    return new Date(this.#at);
  }

  async pass(seconds: number): Promise<void> {
    this.#at += seconds * 1000;
    await sql`update simulated.clock set at = ${this.now()}`.execute(this.#database.kysely);
  }
}

/** It comes by the real clock, and would have statements planned otherwise from then on: a replay has to find rows in the same order. */
async function stopAutovacuum(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(database.kysely);
  const statements = rows.map(({ name }) => `alter table public."${name}" set (autovacuum_enabled = off)`);
  await sql.raw(statements.join("; ")).execute(database.kysely);
}
