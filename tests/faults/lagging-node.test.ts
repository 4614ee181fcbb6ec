import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;

let database: TestDatabase;
let swap: FaultySwap;

beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
});
afterEach(async () => {
  await database.drop();
});

const attempts = () => database.kysely.selectFrom("payout_attempts").select("tx_id").execute();
const nonces = async () =>
  (await database.kysely.selectFrom("payout_handles").select("data").orderBy("id").execute()).map(({ data }) => data);

it("a node behind our tail signs nothing, and signs once it has caught up", async () => {
  await swap.open();
  swap.chain.balances.set("usdt-erc20", 0n);
  swap.pay();
  await swap.blocks(4);
  swap.chain.balances.delete("usdt-erc20");
  const before = swap.chain.blocks;
  swap.chain.blocks = before.slice(0, -1);
  await swap.settle();
  expect(await attempts()).toEqual([]);
  expect(await nonces()).toEqual([]);
  swap.chain.blocks = before;
  await swap.blocks(2);
  expect(swap.paid()).toEqual([FULL]);
  await swap.expectLawful();
});

it("would sign if it reported blocks that it lacks: its height is what stops it", async () => {
  await swap.open();
  swap.chain.balances.set("usdt-erc20", 0n);
  swap.pay();
  await swap.blocks(4);
  swap.chain.balances.delete("usdt-erc20");
  const before = swap.chain.blocks;
  const newest = await swap.chain.head();
  swap.chain.blocks = before.slice(0, -1);
  swap.chain.head = async () => newest;
  await swap.settle();
  expect(await attempts()).toHaveLength(1);
});

it("a node that has forgotten a final payment doesn't make its nonce be used again", async () => {
  await swap.open();
  swap.pay();
  await swap.blocks(8);
  expect(swap.paid()).toEqual([FULL]);
  await swap.open();
  swap.pay();
  swap.chain.forgottenNonces = 1;
  await swap.blocks(5);
  expect(await nonces()).toMatchObject([{ nonce: 0 }, { nonce: 1 }]);
  expect(swap.paid()).toEqual([FULL, FULL]);
});
