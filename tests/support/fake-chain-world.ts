import { freshDatabase, type TestDatabase } from "./database.ts";
import { engineWorld, type EngineWorld } from "./engine-world.ts";
import { FakeChain } from "./fake-chain.ts";

export type FakeChainWorld = { database: TestDatabase; chain: FakeChain; world: EngineWorld };

/** An engine over a database of its own and a young chain that it has looked at; the caller drops the database. */
export async function fakeChainWorld(): Promise<FakeChainWorld> {
  const database = await freshDatabase();
  const chain = new FakeChain();
  chain.mine(2);
  const world = await engineWorld({ database, reader: chain, wallet: chain });
  await world.settle();
  return { database, chain, world };
}
