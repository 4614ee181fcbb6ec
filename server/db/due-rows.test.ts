import { sql } from "kysely";
import { expect, it } from "vitest";
import { freshDatabase } from "../../tests/support/database.ts";
import { claimDue } from "./due-rows.ts";

const AGES = [10, 30, 20, 30, 20];

it("work that is due is taken once, what has waited longest first, and by its id where it came due at once", async () => {
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
  expect(await claimDue(database, "sweeps", 4, 15)).toEqual(["2", "4", "3", "5"]);
  expect(await claimDue(database, "sweeps", 4, 15)).toEqual(["1"]);
  expect(await claimDue(database, "sweeps", 4, 15)).toEqual([]);
});
