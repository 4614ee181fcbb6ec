import { freshDatabase, type TestDatabase } from "./database.ts";
import { createTestEngine, type TestEngine } from "./test-engine.ts";
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
