import { sql } from "kysely";
import { expect, it } from "vitest";
import { freshDatabase } from "../../tests/support/database.ts";
import { leaseDueJobs } from "./job-runner.ts";

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
