import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase, type Database } from "../../db/database.ts";
import { recordSentQueries } from "../../../tests/support/database/sent-queries.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

const OUTPUTS = 100_000;
const ORDERS = 500;
/** A tenth of the server's own limit: a statement whose time grows with the block runs into it long before a block is that large. */
const STATEMENT_MS = 1_500;
const PER_TRANSACTION = 2_000;
const STORED_AT_ONCE = 2_000;

let fresh: TestDatabase;
let database: Database;
let chain: FakeChain;
let testEngine: TestEngine;
beforeEach(async () => {
  fresh = await freshDatabase();
  const limits = { statement_timeout: STATEMENT_MS };
  database = openDatabase(fresh.url, { max: 4, log: fresh.log, applicationName: "large blocks", limits });
  chain = new FakeChain();
  chain.mine(2);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
});
afterEach(async () => {
  await database.close();
  await fresh.drop();
});

const mineBlock = (toAddresses: readonly string[]) => {
  for (let from = 0; from < OUTPUTS; from += PER_TRANSACTION) {
    const transfers = Array.from({ length: PER_TRANSACTION }, (_, outputIndex) => ({
      outputIndex,
      toAddress: toAddresses[(from + outputIndex) % toAddresses.length] ?? "",
      slug: "eth",
      amount: 10n ** 12n,
    }));
    chain.pending.push({ txId: `many ${from}`, from: "outside", nonce: 0, transfers });
  }
  chain.mine();
};

/** Reads the block; prints and returns how long it took and for how long at most the process did nothing else. */
const follow = async (name: string): Promise<{ seconds: number; stallMs: number }> => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
  const seconds = (performance.now() - startedAt) / 1_000;
  delay.disable();
  const stallMs = delay.max / 1e6;
  console.log(`${OUTPUTS} outputs ${name}: ${seconds.toFixed(1)} s, longest stall ${stallMs.toFixed(0)} ms`);
  return { seconds, stallMs };
};

it("a block with 100,000 outputs to others, or to us, is appended by statements that stay short", async () => {
  mineBlock(Array.from({ length: OUTPUTS }, (_, n) => `stranger ${n}`));
  await follow("to strangers");
  const client = { key: "c", traceId: "t" };
  const create = () => testEngine.engine.orderService.create(orderBody(), client);
  const orders: Awaited<ReturnType<typeof create>>[] = [];
  while (orders.length < ORDERS) orders.push(await create());
  mineBlock(orders.map(({ depositAddress }) => depositAddress));
  let statements = 0;
  const stop = recordSentQueries(() => (statements += 1));
  await follow("to us");
  stop();
  // What the outputs share is looked up once for many of them: nearly all statements store.
  expect(statements).toBeLessThan(1.5 * (OUTPUTS / STORED_AT_ONCE) + 50);
  const { rows } = await database.pool.query(
    "select count(*)::int, count(distinct order_id)::int as orders from deposits",
  );
  expect(rows).toEqual([{ count: OUTPUTS, orders: ORDERS }]);
}, 240_000);
