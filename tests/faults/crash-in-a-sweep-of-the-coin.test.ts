import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { SweepScenarios } from "../support/scenarios/sweep-scenario.ts";
import { SweepingChain } from "../support/chains/sweeping-chain.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** From the intent to the last confirmation, with the amount that is planned anew before the signature. */
const MIN_POINTS = 36;

let database: TestDatabase;
let scenarios: SweepScenarios;
let total = 0;

beforeAll(async () => {
  database = await freshDatabase();
  const chain = new SweepingChain();
  // Each request is answered more than the one before: a process that comes back finds another fee than the one that died.
  chain.sweepCostRise = 7n;
  scenarios = await SweepScenarios.open(chain, database, "coin");
  total = (await liveThrough([])).points;
  process.stdout.write(`crash points of a coin's sweep while its fee rises: N = ${total}\n`);
});
afterAll(() => database.drop());

async function liveThrough(crashes: readonly number[]): Promise<{ died: string[]; points: number }> {
  await scenarios.begin();
  const { died, last } = await liveThroughCrashes(crashes, (points) => scenarios.live(points));
  return { died, points: last.count };
}

it("counts every call and every commit", async () => {
  expect(total).toBeGreaterThanOrEqual(MIN_POINTS);
  expect(await scenarios.violations()).toEqual([]);
});

it("a process that dies while a sweep is planned anew leaves the books true, and moves each deposit once", async () => {
  const failures: string[] = [];
  for (let crashAt = 1; crashAt <= total && failures.length === 0; crashAt += 1) {
    const { died } = await liveThrough([crashAt]);
    if (died.length === 0) failures.push(`k = ${crashAt}: nothing died`);
    failures.push(...(await scenarios.violations()).map((what) => `k = ${crashAt} (${died.join()}): ${what}`));
  }
  expect(failures).toEqual([]);
  // What was planned is not what was moved: each was planned anew.
  const { rows } = await sql`select from payouts p join sweeps s on s.id = p.sweep_id
    where p.purpose = 'sweep' and p.amount > s.amount - 50`.execute(database.kysely);
  expect(rows).toEqual([]);
});
