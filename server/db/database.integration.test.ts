import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { createLog } from "../base/logging/log.ts";
import { StartupError } from "../base/processes/startup-error.ts";
import { openDatabase, requireReachable } from "./database.ts";

test("a database that can't be reached, or lets nobody in, is named as such, without the password", async () => {
  await using real = await freshDatabase({ empty: true });
  const at = (place: string): string => {
    const url = new URL(real.url);
    url.password = "wrong-secret";
    url.host = place;
    return url.href;
  };
  const log = createLog({ level: "silent" });
  for (const [url, why] of [
    [at("127.0.0.1:1"), "ECONNREFUSED"],
    [at("localhost:1"), "ECONNREFUSED"],
    [at(new URL(real.url).host), "password authentication failed"],
  ] as const) {
    const database = openDatabase(url, { max: 1, log, applicationName: "test" });
    const failure: unknown = await requireReachable(database).catch((error: unknown) => error);
    await database.close();
    expect(failure).toBeInstanceOf(StartupError);
    expect(String(failure)).toContain("DATABASE_URL can't be reached (");
    expect(String(failure)).toContain(why);
    expect(String(failure)).not.toContain("wrong-secret");
  }
});

describe("values", () => {
  test.each([
    ["the largest amount", "9".repeat(78), BigInt("9".repeat(78))],
    ["zero", "0", 0n],
    ["a negative entry", "-1", -1n],
    ["more than a number can hold", "9007199254740993", 9007199254740993n],
  ])("a numeric is read as an exact bigint: %s", async (_name, text, expected) => {
    await using database = await freshDatabase({ empty: true });
    const { rows } = await sql<{ amount: bigint }>`select ${text}::numeric(78,0) as amount`.execute(database.kysely);
    expect(rows).toEqual([{ amount: expected }]);
  });

  test("a bigint goes in as it came out, and counts are bigints", async () => {
    await using database = await freshDatabase({ empty: true });
    const amount = 10n ** 77n + 1n;
    const query = sql<object>`select ${amount}::numeric(78,0) as amount, count(*) as count, 7::int8 as id, array[1, null, 3]::numeric[] as list, '{}'::int8[] as none`;
    const { rows } = await query.execute(database.kysely);
    expect(rows).toEqual([{ amount, count: 1n, id: 7n, list: [1n, null, 3n], none: [] }]);
  });

  test.each(["0.5", "1.0", "NaN", "Infinity"])("a numeric that is no whole number is refused: %s", async (text) => {
    await using database = await freshDatabase({ empty: true });
    const query = sql`select ${text}::numeric as amount`.execute(database.kysely);
    await expect(query).rejects.toThrow(`not ${text}`);
    await expect(sql`select 1 as one`.execute(database.kysely)).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  test("a timestamptz is the same moment in any zone", async () => {
    await using database = await freshDatabase({ empty: true });
    const { rows } = await sql<{ at: Date }>`select '2026-11-21 12:00:00.123+05'::timestamptz as at`.execute(
      database.kysely,
    );
    expect(rows[0]?.at).toEqual(new Date("2026-11-21T07:00:00.123Z"));
  });
});

describe("limits", () => {
  test("every connection has the time-outs", async () => {
    await using database = await freshDatabase({ empty: true });
    const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "application_name"];
    const { rows } = await sql`
      select ${sql.join(names.map((name) => sql`current_setting(${name}) as ${sql.ref(name)}`))}
    `.execute(database.kysely);
    expect(rows[0]).toMatchObject({
      statement_timeout: "15s",
      lock_timeout: "5s",
      idle_in_transaction_session_timeout: "30s",
    });
  });

  test("a server that takes the connection and says nothing is an error after five seconds", async () => {
    const accepted: Socket[] = [];
    const mute = createServer((socket) => accepted.push(socket)).listen(0, "127.0.0.1");
    await once(mute, "listening");
    const url = `postgres://someone@127.0.0.1:${(mute.address() as AddressInfo).port}/any`;
    const log = createLog({ level: "silent" });
    const database = openDatabase(url, { max: 1, log, applicationName: "test" });
    await expect(sql`select 1`.execute(database.kysely)).rejects.toThrow("connection timeout");
    expect(accepted).toHaveLength(1);
    await database.close();
    mute.close();
  });
});

describe("lost connections", () => {
  test("idle connections that die are replaced", async () => {
    await using database = await freshDatabase({ empty: true });
    await using killer = await freshDatabase({ empty: true });
    const warm = await Promise.all(
      [1, 2, 3].map(() => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.kysely)),
    );
    const gone = new Promise((resolve) => database.pool.once("error", resolve));
    await sql`select pg_terminate_backend(${warm[0]?.rows[0]?.pid})`.execute(killer.kysely);
    await gone;
    await expect(sql`select 1 as one`.execute(database.kysely)).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  test("a connection that dies inside a transaction fails that transaction and nothing else", async () => {
    await using database = await freshDatabase({ empty: true });
    await using killer = await freshDatabase({ empty: true });
    const transaction = database.kysely.transaction().execute(async (held) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(held);
      const client = await sql<{ ended: boolean }>`select pg_terminate_backend(${rows[0]?.pid}, 5000) as ended`.execute(
        killer.kysely,
      );
      expect(client.rows[0]?.ended).toBe(true);
      await sql`select 1`.execute(held);
    });
    await expect(transaction).rejects.toThrow(/terminat|not queryable/i);
    await expect(sql`select 1 as one`.execute(database.kysely)).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });
});
