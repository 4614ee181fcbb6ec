import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { createLog } from "../base/logging/log.ts";
import type { Database } from "./database.ts";
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

  it("are looked for again when the first of them is due, and run when one is", async () => {
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
