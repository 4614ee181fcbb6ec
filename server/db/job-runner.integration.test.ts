import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { createLog } from "../base/logging/log.ts";
import type { Database } from "./database.ts";
import { runHeldCommand } from "../treasury/operator/held-commands.ts";
import { HELD_AFTER_FAILURES } from "./job-failures.ts";
import { jobMetrics } from "./metrics.ts";
import { leaseDueJobs, dueNetworks, dueTurn, runDueJobs } from "./job-runner.ts";

const AGES = [10, 30, 20, 30, 20];

it("leases each due job once, the longest overdue first, then by id", async () => {
  await using database = await freshDatabase({ max: 2 });
  for (const [at, age] of AGES.entries()) {
    await sql`
      insert into sweeps (network, address, derivation_index, slug, amount, state, next_attempt_at, created_at)
      values ('ETH', ${`deposit-${at}`}, ${at}, 'eth', 1, 'planned', date_trunc('hour', now()) - make_interval(mins => ${age}), now())`.execute(
      database.kysely,
    );
  }
  // An update moves a row to another place in its table, where a scan finds it late.
  await sql`update sweeps set amount = 2 where id = 2`.execute(database.kysely);
  expect(await leaseDueJobs(database, "sweeps", 4, 15)).toEqual(["2", "4", "3", "5"]);
  expect(await leaseDueJobs(database, "sweeps", 4, 15)).toEqual(["1"]);
  expect(await leaseDueJobs(database, "sweeps", 4, 15)).toEqual([]);
});

describe("jobs of one network", () => {
  const sweep = (database: Database, network: string) =>
    sql`insert into sweeps (network, address, derivation_index, slug, amount, state, next_attempt_at, created_at)
      values (${network}, 'deposit', 1, 'eth', 1, 'planned', now() - interval '1 second', now())`.execute(
      database.kysely,
    );
  const log = createLog({ level: "silent" });

  it("are leased without those of another", async () => {
    await using database = await freshDatabase({ max: 2 });
    for (const network of ["ETH", "BTC", "ETH"]) await sweep(database, network);
    expect((await dueNetworks(database, ["sweeps", "payouts"])).networks.toSorted()).toEqual(["BTC", "ETH"]);
    const done: string[] = [];
    await runDueJobs(database, "sweeps", async (id) => done.push(id), log, { network: "ETH" });
    expect(done).toEqual(["1", "3"]);
    const { networks, nextInMs } = await dueNetworks(database, ["sweeps", "payouts"]);
    expect(networks).toEqual(["BTC"]);
    // The lease of the one that was taken.
    expect(nextInMs).toBeGreaterThan(10_000);
  });

  it("go on without one that never ends, which comes due again", async () => {
    await using database = await freshDatabase({ max: 2 });
    for (let made = 0; made < 5; made += 1) await sweep(database, "ETH");
    const done: string[] = [];
    const run = (id: string) => (id === "2" ? new Promise<never>(() => undefined) : Promise.resolve(done.push(id)));
    await runDueJobs(database, "sweeps", run, log, { network: "ETH", concurrency: 2, budgetMs: 50 });
    expect(done).toEqual(["1", "3", "4", "5"]);
    const { rows } = await sql`select id from sweeps where next_attempt_at > now() and id = 2`.execute(database.kysely);
    expect(rows).toHaveLength(1);
  });

  it("are queried again when the first of them is due, and run when one is", async () => {
    await using database = await freshDatabase({ max: 2 });
    let batches = 0;
    const turn = () =>
      dueTurn(database, "sweeps", async () => {
        batches += 1;
        return runDueJobs(database, "sweeps", async () => undefined, log);
      });
    expect(await turn(), "nothing to do at all").toBe(false);
    await sweep(database, "ETH");
    expect(await turn(), "there may be more").toBe(0);
    expect(batches).toBe(1);
    await sql`update sweeps set next_attempt_at = now() + interval '3 seconds'`.execute(database.kysely);
    expect(await turn()).toBeGreaterThan(2_000);
    expect(batches).toBe(1);
  });
});

describe("a job of a queue that backs off", () => {
  const log = createLog({ level: "silent" });
  const failing = () => Promise.reject(new Error("it is broken"));
  const exchange = async (database: Database) => {
    await sql`insert into orders (id, reference, version, state, snapshot, from_slug, to_slug, rate_mode, client_key, created_at)
      values ('abcdefghijklmnopqrstuvwx', 'AAAA-AAAA', 1, 'paying', '{}', 'eth', 'btc', 'FLOATING', 'c', now())`.execute(
      database.kysely,
    );
    await sql`
      insert into partner_exchanges (order_id, n, client_id, partner, from_slug, to_slug, amount, expected, to_address, state, next_attempt_at, created_at)
      values ('abcdefghijklmnopqrstuvwx', 1, 'client', 'some', 'eth', 'btc', 1, 1, 'a', 'intended', now(), now())`.execute(
      database.kysely,
    );
  };
  /** The pause after the last failure, in whole seconds, which then passes. */
  const pause = async (database: Database): Promise<number | null> => {
    const { rows } = await sql<{ seconds: number }>`
      select ceil(extract(epoch from next_attempt_at - now()))::int as seconds from partner_exchanges`.execute(
      database.kysely,
    );
    await sql`update job_failures set paused_until = now()`.execute(database.kysely);
    await sql`update partner_exchanges set next_attempt_at = now()`.execute(database.kysely);
    return rows[0]?.seconds ?? null;
  };
  const failures = async (database: Database) =>
    (await sql<{ n: number }>`select coalesce(max(failures), 0) as n from job_failures`.execute(database.kysely))
      .rows[0]?.n;
  const run = (database: Database, work: () => Promise<unknown>) =>
    runDueJobs(database, "partner_exchanges", work, log);

  it("is tried again after pauses that double up to five minutes, and at its own pace once it has succeeded", async () => {
    await using database = await freshDatabase({ max: 2 });
    await exchange(database);
    const pauses: (number | null)[] = [];
    for (let times = 0; times < 10; times += 1) {
      await run(database, failing);
      pauses.push(await pause(database));
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(await failures(database)).toBe(10);
    await run(database, async () => undefined);
    expect(await failures(database)).toBe(0);
    await pause(database);
    await run(database, failing);
    expect(await pause(database)).toBe(2);
  });

  it("is not tried in its pause, whatever makes it due", async () => {
    await using database = await freshDatabase({ max: 2 });
    await exchange(database);
    let tries = 0;
    const fail = () => failing().finally(() => (tries += 1));
    await run(database, fail);
    for (let wakes = 0; wakes < 3; wakes += 1) {
      await sql`update partner_exchanges set next_attempt_at = now()`.execute(database.kysely);
      await run(database, fail);
    }
    expect(tries).toBe(1);
    // The loop sleeps until then.
    expect(await dueTurn(database, "partner_exchanges", async () => true)).toBeGreaterThan(1_000);
  });

  it("is shown to operators after eight failures, who may have it tried at once", async () => {
    await using database = await freshDatabase({ max: 2 });
    await exchange(database);
    const parts = { database, catalogue: { instruments: new Map() }, isRegtest: true };
    const say = (text: string) => runHeldCommand(parts, text.split(" "));
    const metric = async () => (await jobMetrics(database)[0]?.read()) ?? [];
    for (let times = 1; times < HELD_AFTER_FAILURES; times += 1) {
      await run(database, failing);
      await pause(database);
    }
    expect([await say("held"), await metric()]).toEqual(["nothing is held", []]);
    await run(database, failing);
    expect(await say("held")).toBe(
      "job partner_exchanges 1  failed_repeatedly  for 0 min  (8 times, Error: it is broken)",
    );
    expect(await metric()).toEqual([{ labels: { queue: "partner_exchanges" }, value: 1 }]);
    await say("job retry partner_exchanges 1 repaired --as ann");
    await expect(say("job retry partner_exchanges 1 again --as ann")).rejects.toThrow("does not fail");
    let isRun = false;
    await run(database, async () => (isRun = true));
    expect(isRun).toBe(true);
    expect([await say("held"), await metric()]).toEqual(["nothing is held", []]);
  });
});
