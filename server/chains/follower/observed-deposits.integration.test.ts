import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const client = { key: "c", traceId: "t" };
let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
});
afterEach(() => database.drop());

const create = () => testEngine.engine.orderService.create(orderBody(), client);
const follow = async () => {
  for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
};
const rows = () =>
  database.kysely
    .selectFrom("deposits")
    .select(["address", "amount", "slug", "order_id", "block_height", "review_reason"])
    .orderBy("id")
    .execute();
const mine = async (count: number) => {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
/** The same transaction with another content, as a contract's call is after a reorganisation. */
const pay = (transfers: { toAddress: string; slug: string; amount: bigint }[]) =>
  chain.pending.push({
    txId: "t".repeat(64),
    from: "outside",
    nonce: 0,
    transfers: transfers.map((transfer) => ({ outputIndex: 0, ...transfer })),
  });

describe("a block with more outputs to us than a statement has parameters for", () => {
  it("is appended whole, and observed again after a reorganisation", async () => {
    const orders = [await create(), await create(), await create()];
    const transfers = Array.from({ length: 20_000 }, (_, at) => ({
      outputIndex: at,
      toAddress: orders[at % orders.length]?.depositAddress ?? "",
      slug: "eth",
      amount: BigInt(at + 1),
    }));
    const elsewhere = transfers.map((transfer, at) => ({
      ...transfer,
      outputIndex: 20_000 + at,
      toAddress: `other-${at}`,
    }));
    chain.pending.push({ txId: "many", from: "outside", nonce: 0, transfers: [...transfers, ...elsewhere] });
    chain.mine();
    await follow();
    const counted = () =>
      database.kysely
        .selectFrom("deposits")
        .select(({ fn }) => [
          fn.countAll<bigint>().as("count"),
          fn.sum<bigint>("amount").as("sum"),
          fn.count<bigint>("block_height").as("mined"),
        ])
        .executeTakeFirstOrThrow();
    expect(await counted()).toEqual({ count: 20_000n, sum: 200_010_000n, mined: 20_000n });
    chain.reorg(1, true);
    await follow();
    expect((await counted()).mined).toBe(0n);
    chain.mine();
    await follow();
    expect(await counted()).toEqual({ count: 20_000n, sum: 200_010_000n, mined: 20_000n });
  });
});

describe("a deposit that is observed again with another content", () => {
  it("takes the new amount and asset before it is credited, and the order counts that", async () => {
    const { orderId, depositAddress } = await create();
    pay([{ toAddress: depositAddress, slug: "eth", amount: HALF_ETH }]);
    await mine(1);
    chain.reorg(1);
    pay([{ toAddress: depositAddress, slug: "eth", amount: 2n * HALF_ETH }]);
    await mine(4);
    expect(await rows()).toMatchObject([{ amount: 2n * HALF_ETH, order_id: orderId, review_reason: null }]);
    const order = await testEngine.engine.orderService.info(orderId, "destination");
    expect(order.deposits).toMatchObject([{ amount: "1" }]);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
    // Half an ether would have paid less than 1,500.
    expect(chain.received("destination", "usdt-erc20")[0]).toBeGreaterThan(2_900_000_000n);
  });

  it("moves to the order that it pays now, and the one that it paid before waits for a deposit again", async () => {
    const [first, second] = [await create(), await create()];
    pay([{ toAddress: first.depositAddress, slug: "eth", amount: HALF_ETH }]);
    await mine(1);
    chain.reorg(1);
    pay([{ toAddress: second.depositAddress, slug: "eth", amount: HALF_ETH }]);
    await mine(5);
    expect(await rows()).toMatchObject([{ address: second.depositAddress, order_id: second.orderId }]);
    const statusOf = async (orderId: string) =>
      (await testEngine.engine.orderService.info(orderId, "destination")).withdrawals.length;
    expect([await statusOf(first.orderId), await statusOf(second.orderId)]).toEqual([0, 1]);
  });

  it("is reviewed once it was credited: what was credited is not on the chain, and payments of the network stay stopped", async () => {
    const { orderId, depositAddress } = await create();
    pay([{ toAddress: depositAddress, slug: "eth", amount: HALF_ETH }]);
    await mine(4);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
    chain.reorg(6);
    pay([{ toAddress: depositAddress, slug: "eth", amount: 1n }]);
    await mine(8);
    expect(await rows()).toEqual([
      {
        address: depositAddress,
        amount: HALF_ETH,
        slug: "eth",
        order_id: orderId,
        block_height: null,
        review_reason: "changed_after_credit",
      },
    ]);
    expect(await database.kysely.selectFrom("kill_switches").select(["action", "scope"]).execute()).toEqual([
      { action: "pay", scope: "ETH" },
    ]);
    // The chain may return to what was credited.
    chain.reorg(9);
    pay([{ toAddress: depositAddress, slug: "eth", amount: HALF_ETH }]);
    await mine(11);
    expect(await rows()).toMatchObject([{ amount: HALF_ETH, review_reason: null }]);
    expect(await database.kysely.selectFrom("kill_switches").select("action").execute()).toEqual([]);
  });
});
