import type { Earnings } from "../../../server/earnings/port.ts";
import { freshDatabase, type TestDatabase } from "../database/database.ts";
import { EarningsScenario } from "./earnings-scenario.ts";
import type { TestEngine } from "./test-engine.ts";

export type EarningsSetup = {
  database: TestDatabase;
  scenario: EarningsScenario;
  testEngine: TestEngine;
  earnings: Earnings;
  /** An account without earnings. */
  ann: bigint;
};

/** An engine over a database of its own, its calls about earnings, and an account; the caller drops the database. */
export async function earningsSetup(): Promise<EarningsSetup> {
  const database = await freshDatabase();
  const scenario = new EarningsScenario(database);
  const testEngine = await scenario.engine();
  await testEngine.settle();
  return { database, scenario, testEngine, earnings: await scenario.earnings(), ann: await scenario.user() };
}
