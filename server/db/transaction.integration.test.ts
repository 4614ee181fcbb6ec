import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { sql, type Transaction } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { createLog } from "../base/logging/log.ts";
import { openDatabase } from "./database.ts";
import type { Schema } from "./schema.ts";
import { commitStatement, CommitUnknownError, inTransaction } from "./transaction.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await freshDatabase({ empty: true });
  await sql`create table boats (id integer primary key, oars integer not null)`.execute(database.kysely);
});

afterEach(() => database.drop());

function launch(transaction: Transaction<Schema>, id: number): Promise<unknown> {
  return sql`insert into boats values (${id}, 2)`.execute(transaction);
}

async function boats(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from boats order by id`.execute(database.kysely);
  return rows.map((row) => row.id);
}

test("what the work did is committed, in read committed, and its result is returned", async () => {
  const result = await inTransaction(database, async (transaction) => {
    await launch(transaction, 1);
    const { rows } = await sql<{ level: string }>`select current_setting('transaction_isolation') as level`.execute(
      transaction,
    );
    return rows[0]?.level;
  });
  expect(result).toBe("read committed");
  expect(await boats()).toEqual([1]);
});

test("an error of the work undoes everything and is not retried", async () => {
  let runs = 0;
  const attempt = inTransaction(database, async (transaction) => {
    runs++;
    await launch(transaction, 1);
    throw new Error("broken");
  });
  await expect(attempt).rejects.toThrow("broken");
  expect(runs).toBe(1);
  expect(await boats()).toEqual([]);
});

describe("retry", () => {
  test("two transactions that deadlock both succeed", async () => {
    await sql`insert into boats values (1, 0), (2, 0)`.execute(database.kysely);
    let runs = 0;
    const bothHold = Promise.withResolvers<void>();
    const row = (first: number, second: number) =>
      inTransaction(database, async (transaction) => {
        await sql`update boats set oars = oars + 1 where id = ${first}`.execute(transaction);
        if (++runs === 2) bothHold.resolve();
        await bothHold.promise;
        await sql`update boats set oars = oars + 1 where id = ${second}`.execute(transaction);
      });
    await Promise.all([row(1, 2), row(2, 1)]);
    expect(runs).toBe(3);
    const { rows } = await sql`select * from boats order by id`.execute(database.kysely);
    expect(rows).toEqual([
      { id: 1, oars: 2 },
      { id: 2, oars: 2 },
    ]);
  });

  test.each([
    ["40001", 5],
    ["40P01", 5],
    ["55P03", 1],
    ["23505", 1],
  ])("an error %s that does not pass is tried %i times", async (code, expected) => {
    let runs = 0;
    const attempt = inTransaction(database, async (transaction) => {
      runs++;
      await sql.raw(`do $$ begin raise exception 'tide' using errcode = '${code}'; end $$`).execute(transaction);
    });
    await expect(attempt).rejects.toMatchObject({ code });
    expect(runs).toBe(expected);
  });
});

describe("probe", () => {
  test("a crash before the commit leaves nothing", async () => {
    const probe = {
      beforeCommit: () => {
        throw new Error("crash");
      },
      afterCommit: () => undefined,
    };
    await expect(inTransaction(database, (transaction) => launch(transaction, 1), probe)).rejects.toThrow("crash");
    expect(await boats()).toEqual([]);
  });

  test("a crash after the commit leaves everything, once", async () => {
    const crash = Object.assign(new Error("crash"), { code: "40001" });
    const probe = { beforeCommit: () => undefined, afterCommit: () => Promise.reject(crash) };
    await expect(inTransaction(database, (transaction) => launch(transaction, 1), probe)).rejects.toBe(crash);
    expect(await boats()).toEqual([1]);
  });
});

describe("commit", () => {
  test("a deferred constraint that fails at the commit is a known failure", async () => {
    await sql`create table crews (boat integer references boats deferrable initially deferred)`.execute(
      database.kysely,
    );
    const attempt = inTransaction(database, (transaction) => sql`insert into crews values (9)`.execute(transaction));
    await expect(attempt).rejects.toMatchObject({ code: "23503" });
  });

  test("a transaction that failed inside the work without an error is not reported as committed", async () => {
    const attempt = inTransaction(database, async (transaction) => {
      await launch(transaction, 1);
      await sql`select 1 / 0`.execute(transaction).then(null, () => "hidden");
    });
    await expect(attempt).rejects.toThrow("rolled back instead of committed");
    expect(await boats()).toEqual([]);
  });

  test.each([
    ["after the server has done it", true, [1]],
    ["before the server has got it", false, []],
  ])("a connection cut %s is an unknown result, and never tried again", async (_name, delivered, expected) => {
    await using proxy = await cuttingProxy(database.url, delivered);
    const distant = openDatabase(proxy.url, {
      max: 1,
      log: createLog({ level: "silent" }),
      applicationName: "distant",
    });
    let runs = 0;
    const attempt = inTransaction(distant, (transaction) => {
      runs++;
      return launch(transaction, 1);
    });
    await expect(attempt).rejects.toThrow(CommitUnknownError);
    await distant.close();
    expect(runs).toBe(1);
    expect(await boats()).toEqual(expected);
  });
});

describe("a statement by itself", () => {
  // Ends with the COMMIT that the proxy waits for.
  const launching = (id: number) => ({
    name: "launch",
    text: "insert into boats values ($1, 2) -- commit",
    values: [id],
  });

  test("is committed, with its crash points around it", async () => {
    const points: string[] = [];
    const probe = {
      beforeCommit: async () => void points.push(`before: ${(await boats()).length}`),
      afterCommit: async () => void points.push(`after: ${(await boats()).length}`),
    };
    await commitStatement(database, launching(1), probe);
    expect(points).toEqual(["before: 0", "after: 1"]);
  });

  test("that the database refuses is a known failure, and its connection goes on", async () => {
    await commitStatement(database, launching(1));
    await expect(commitStatement(database, launching(1))).rejects.toMatchObject({ code: "23505" });
    await commitStatement(database, launching(2));
    expect(await boats()).toEqual([1, 2]);
  });

  test.each([
    ["after the server has done it", true, [1]],
    ["before the server has got it", false, []],
  ])("whose connection is cut %s has an unknown result", async (_name, delivered, expected) => {
    await using proxy = await cuttingProxy(database.url, delivered);
    const log = createLog({ level: "silent" });
    const distant = openDatabase(proxy.url, { max: 1, log, applicationName: "distant" });
    await expect(commitStatement(distant, launching(1))).rejects.toThrow(CommitUnknownError);
    await distant.close();
    expect(await boats()).toEqual(expected);
  });

  test("without a reachable database was never tried", async () => {
    const log = createLog({ level: "silent" });
    const nowhere = openDatabase("postgres://nobody@127.0.0.1:1/nowhere", { max: 1, log, applicationName: "lost" });
    await expect(commitStatement(nowhere, launching(1))).rejects.not.toThrow(CommitUnknownError);
    await nowhere.close();
  });
});

/** Passes everything on until a COMMIT comes; then it cuts the line, with the COMMIT delivered and done or not. */
async function cuttingProxy(url: string, deliver: boolean): Promise<AsyncDisposable & { url: string }> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    sockets.push(client, server);
    let cut = false;
    client.on("data", (data) => {
      // The whole statement, because the one that begins a "read committed" transaction holds the word as well.
      cut ||= data.includes("commit\0");
      if (!cut || deliver) server.write(data);
      else client.destroy();
    });
    server.on("data", (data) => {
      if (cut) client.destroy();
      else client.write(data);
    });
    for (const socket of [client, server]) socket.on("error", () => socket.destroy());
    client.on("close", () => server.end());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const distant = new URL(url);
  distant.port = String((proxy.address() as AddressInfo).port);
  return {
    url: distant.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
