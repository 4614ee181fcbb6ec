import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TestDatabase } from "../../../tests/support/database/database.ts";
import type { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { fakeChainSetup } from "../../../tests/support/chains/fake-chain-setup.ts";
import { recordSentQueries } from "../../../tests/support/database/sent-queries.ts";
import { orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

/** More than the events of one statement, which has 65,535 parameters. */
const MANY = 14_000;
const client = { key: "c", traceId: "t" };

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
beforeEach(async () => {
  ({ database, chain, testEngine } = await fakeChainSetup());
});
afterEach(() => database.drop());

const pay = (toAddress: string, count: number) => {
  const transfers = Array.from({ length: count }, (_, outputIndex) => ({
    outputIndex,
    toAddress,
    slug: "eth",
    amount: 10n ** 15n,
  }));
  chain.pending.push({ txId: `many-${count}-${toAddress}`, from: "outside", nonce: 0, transfers });
  chain.mine();
};
const follow = async () => {
  for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
};
/** The processor time of this process in microseconds: unlike the clock it does not depend on what else runs. */
const handle = async (count: number): Promise<number> => {
  const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
  pay(depositAddress, count);
  await follow();
  const before = process.cpuUsage();
  await testEngine.engine.runOrders();
  const { user } = process.cpuUsage(before);
  // So that no later block wakes this order.
  await database.kysely.updateTable("deposits").set({ credited_at: new Date() }).execute();
  return user;
};

it("an order that is paid by more deposits than a statement has parameters counts them all", async () => {
  await handle(MANY);
  const registered = await database.kysely
    .selectFrom("order_events")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("kind", "=", "DEPOSIT_REGISTERED")
    .executeTakeFirstOrThrow();
  expect(registered.count).toBe(BigInt(MANY));
  const order = await database.kysely.selectFrom("orders").select(["state", "version"]).executeTakeFirstOrThrow();
  expect(order).toMatchObject({ state: "confirming" });
}, 60_000);

it("four times the deposits cost about four times as much", async () => {
  await handle(500);
  const [few, many] = [await handle(2_000), await handle(8_000)];
  // Quadratic work would take sixteen times as long, cubic sixty-four times.
  expect(many / few).toBeLessThan(12);
}, 60_000);

describe("while others wait for the accounts of the ledger", () => {
  /** The statements of one handling of what is due. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
    let sent = 0;
    const stop = recordSentQueries(() => void (sent += 1));
    await work().finally(stop);
    expect(sent).toBeGreaterThan(5);
    return sent;
  };
  const settle = async (count: number) => {
    const order = await testEngine.engine.orderService.create(orderBody({ refundAddress: "refund" }), client);
    pay(order.depositAddress, count);
    await follow();
    await testEngine.engine.runOrders();
    chain.mine(3);
    await follow();
    const statements = await statementsOf(() => testEngine.engine.runOrders());
    const { state } = await database.kysely
      .selectFrom("orders")
      .select("state")
      .where("id", "=", order.orderId)
      .executeTakeFirstOrThrow();
    expect(state).toBe("paying");
    return { order, statements };
  };

  it("an order of thousands of deposits is settled with hardly more statements than one of a single deposit", async () => {
    const { statements: few } = await settle(1);
    const { statements: many } = await settle(3_000);
    expect(many).toBeLessThan(few + 20);
    const credited = await database.kysely
      .selectFrom("ledger_transfers")
      .select(({ fn }) => fn.countAll<bigint>().as("count"))
      .where("kind", "=", "deposit")
      .executeTakeFirstOrThrow();
    expect(credited.count).toBe(3_001n);
  }, 60_000);

  it("late deposits are refunded some at a time", async () => {
    const { order } = await settle(1);
    pay(order.depositAddress, 250);
    chain.mine(3);
    await follow();
    const refunds = async () =>
      (await database.kysely.selectFrom("payouts").select("id").where("deposit_id", "is not", null).execute()).length;
    await testEngine.engine.runOrders();
    expect(await refunds()).toBe(100);
    for (let turn = 0; turn < 2; turn += 1) await testEngine.engine.runOrders();
    expect(await refunds()).toBe(250);
  }, 60_000);
});
