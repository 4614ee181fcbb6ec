import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { SweepScenarios } from "../support/scenarios/sweep-scenario.ts";
import { SweepingChain } from "../support/chains/sweeping-chain.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** A token's sweep has at least these points: its gas and its move, each from the intent to the last confirmation. */
const MIN_POINTS = 40;
const PAIRS = 10;

let database: TestDatabase;
let scenarios: SweepScenarios;
let chain: SweepingChain;
let total = 0;

beforeAll(async () => {
  database = await freshDatabase();
  chain = new SweepingChain();
  scenarios = await SweepScenarios.open(chain, database);
  total = (await liveThrough([])).points;
  process.stdout.write(`crash points of a token's sweep: N = ${total}\n`);
});
afterAll(() => database.drop());

/** One more sweep, whose first processes die at the given points; returns where they died and how many points the last one had. */
async function liveThrough(crashes: readonly number[]): Promise<{ died: string[]; points: number }> {
  await scenarios.begin();
  const { died, last } = await liveThroughCrashes(crashes, (points) => scenarios.live(points));
  return { died, points: last.count };
}

it("counts every call and every commit", async () => {
  expect(total).toBeGreaterThanOrEqual(MIN_POINTS);
  expect(await scenarios.violations()).toEqual([]);
});

it("a process that dies at any point of a sweep moves each deposit once", async () => {
  const failures: string[] = [];
  for (let crashAt = 1; crashAt <= total; crashAt += 1) {
    const { died } = await liveThrough([crashAt]);
    if (died.length !== 1) failures.push(`k = ${crashAt}: nothing died`);
    failures.push(...(await scenarios.violations()).map((what) => `k = ${crashAt} (${died.join()}): ${what}`));
    if (failures.length > 0) break;
  }
  expect(failures).toEqual([]);
});

it("and so does one that dies twice", async () => {
  const failures: string[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const first = 1 + ((pair * 7919) % total);
    const second = 1 + ((pair * 104_729) % Math.max(1, total - first));
    const { died } = await liveThrough([first, second]);
    failures.push(
      ...(await scenarios.violations()).map((what) => `k = ${first}, then ${second} (${died.join()}): ${what}`),
    );
  }
  expect(failures).toEqual([]);
});

it("an unintended transfer and gas that counts as a deposit would be noticed", async () => {
  chain.deposit("hot", "usdt-erc20", 1n);
  chain.mine();
  expect(await scenarios.violations()).toEqual([expect.stringContaining("arrived")]);
  await sql`update deposits set tx_id = (select a.tx_id from payout_attempts a join payouts p on p.id = a.payout_id
    where p.purpose = 'gas' limit 1) where id = (select min(id) from deposits)`.execute(database.kysely);
  expect(await scenarios.violations()).toContainEqual(expect.stringContaining("counts as a deposit"));
  await sql`update sweeps set amount = amount + 1 where id = (select min(id) from sweeps)`.execute(database.kysely);
  expect(await scenarios.violations()).toContainEqual(expect.stringContaining("is not the sum of its deposits"));
});
