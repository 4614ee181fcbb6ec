import { freshDatabase, type TestDatabase } from "../database/database.ts";
import { createTestEngine, type TestEngine } from "../scenarios/test-engine.ts";
import { FakeChain } from "./fake-chain.ts";

export type FakeChainSetup = { database: TestDatabase; chain: FakeChain; testEngine: TestEngine };

/** An engine over a database of its own and a new chain that it has read; the caller drops the database. */
export async function fakeChainSetup(): Promise<FakeChainSetup> {
  const database = await freshDatabase();
  const chain = new FakeChain();
  chain.mine(2);
  const testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
  return { database, chain, testEngine };
}

/** Mines blocks one by one, each read by the engine before the next. */
export async function mineAndSettleEach(
  { chain, testEngine }: Pick<FakeChainSetup, "chain" | "testEngine">,
  blocks: number,
): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
}
