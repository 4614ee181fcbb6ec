import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "../../server/base/logging/log.ts";
import { joinNodes } from "../../server/chains/nodes/join.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { HALF_ETH } from "../support/scenarios/faulty-swap.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const FULL = 1_491_500_000n;
const log = createLog({ level: "silent" });

let database: TestDatabase;
let honest: FakeChain;
let liar: FakeChain;

beforeEach(async () => {
  database = await freshDatabase();
  [honest, liar] = [new FakeChain(), new FakeChain()];
  honest.mine(2);
  liar.blocks = [...honest.blocks];
});
afterEach(() => database.drop());

/** An engine over both nodes, which credits what so many of them show. */
async function engineOver(nodesToAgree: number | null): Promise<TestEngine> {
  const nodeOf = (chain: FakeChain, name: string) => ({ name, reader: chain, wallet: chain });
  const { reader, wallet } = joinNodes([nodeOf(liar, "liar"), nodeOf(honest, "honest")], { nodesToAgree, log });
  if (wallet === null) throw new Error("both nodes have wallets");
  const testEngine = await createTestEngine({ database, reader, wallet });
  await testEngine.settle();
  return testEngine;
}

const create = ({ engine }: TestEngine) => engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
const credited = () =>
  database.kysely.selectFrom("deposits").select("tx_id").where("credited_at", "is not", null).execute();

/** A deposit that one node alone shows, below as many blocks as its order requires. */
async function inventDeposit(testEngine: TestEngine): Promise<void> {
  const order = await create(testEngine);
  liar.deposit(order.depositAddress, "eth", HALF_ETH);
  for (let mined = 0; mined < 5; mined += 1) {
    liar.mine();
    honest.mine();
    Object.assign(liar.tip, { hash: `${liar.tip.hash} invented` });
    await testEngine.settle();
  }
}

it("a deposit that one of two nodes invents is never credited", async () => {
  const testEngine = await engineOver(null);
  await inventDeposit(testEngine);
  expect(await credited()).toEqual([]);
  expect(honest.received("destination", "usdt-erc20")).toEqual([]);
});

it("nor is one that it invents in a block of the true hash", async () => {
  const testEngine = await engineOver(null);
  const order = await create(testEngine);
  liar.deposit(order.depositAddress, "eth", HALF_ETH);
  for (let mined = 0; mined < 5; mined += 1) {
    liar.mine();
    honest.mine();
    Object.assign(liar.tip, { hash: honest.tip.hash, parentHash: honest.tip.parentHash });
    await expect(testEngine.settle()).rejects.toThrow("too few nodes agree on what block");
  }
  expect(await credited()).toEqual([]);
});

it("it would be, if one node were enough", async () => {
  const testEngine = await engineOver(1);
  await inventDeposit(testEngine);
  expect(await credited()).toHaveLength(1);
});

it("a swap goes on over the other node while one is dead, and the payment is sent by it", async () => {
  const testEngine = await engineOver(null);
  const order = await create(testEngine);
  liar.isDown = true;
  honest.deposit(order.depositAddress, "eth", HALF_ETH);
  for (let mined = 0; mined < 6; mined += 1) {
    honest.mine();
    await database.kysely
      .updateTable("payouts")
      .set({ next_attempt_at: new Date(0) })
      .execute();
    await testEngine.settle();
  }
  expect(honest.received("destination", "usdt-erc20")).toEqual([FULL]);
});
