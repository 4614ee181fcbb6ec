import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeChain } from "../../../../tests/support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../../../../tests/support/database/database.ts";
import { makeDue } from "../../../../tests/support/database/due-rows.ts";
import {
  askForRefund,
  createTestEngine,
  orderBody,
  StillRates,
  type TestEngine,
} from "../../../../tests/support/scenarios/test-engine.ts";
import { runHeldCommand } from "../../operator/held-commands.ts";

const HALF_ETH = 5n * 10n ** 17n;
const FULL = 1_491_500_000n;
const REFUND_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

let database: TestDatabase;
let chain: FakeChain;
let rates: StillRates;
let testEngine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  rates = new StillRates();
});
afterEach(() => database.drop());

async function start(aboveUsd: number): Promise<void> {
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, rates, approval: { aboveUsd } });
  await testEngine.settle();
}
const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
}
async function paidOrder(): Promise<{ orderId: string; destinationAddress: string }> {
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await blocks(5);
  return order;
}
const payout = () =>
  database.kysely
    .selectFrom("payouts")
    .select(["state", "purpose", "review_reason", "stuck_reason"])
    .executeTakeFirst();
const received = () => chain.received("destination", "usdt-erc20");

describe("a payment worth more than one operator may decide", () => {
  it("is put in review, and its customer reads that it is checked", async () => {
    await start(1_491);
    const { orderId } = await paidOrder();
    await blocks(3);
    expect(received()).toEqual([]);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "large_payment" });
    expect(await say("held")).toContain("payout 1  large_payment");
    const { review } = await testEngine.engine.orderService.info(orderId, "destination");
    expect(review).toEqual({ reason: "PAYMENT_CHECK", needed: "OPERATOR", until: null });
  });

  it("goes on once one operator has proposed and another confirmed it", async () => {
    await start(1_491);
    await paidOrder();
    await expect(say("payout confirm 1 fine --as bob")).rejects.toThrow("Nobody proposed payment 1");
    expect(await say("held")).not.toContain("proposed");
    expect(await say("payout release 1 known customer --as ann")).toContain("Somebody else confirms it");
    expect(await say("held")).toContain("release proposed by ann");
    await blocks(3);
    expect(received()).toEqual([]);
    await expect(say("payout release 1 again --as ann")).rejects.toThrow("It is proposed");
    await expect(say("payout confirm 1 fine --as Ann")).rejects.toThrow("somebody else has to confirm it");
    await say("payout confirm 1 fine --as bob");
    await blocks(5);
    expect(received()).toEqual([FULL]);
    expect(await payout()).toMatchObject({ state: "final" });
    expect(
      await database.kysely.selectFrom("operator_actions").select(["operator", "action"]).orderBy("id").execute(),
    ).toEqual([
      { operator: "ann", action: "payout release" },
      { operator: "bob", action: "payout confirm" },
    ]);
  });

  it("is not signed by a retry, which asks nobody else", async () => {
    await start(1_491);
    await paidOrder();
    await say("payout retry 1 impatient --as ann");
    await blocks(3);
    expect(received()).toEqual([]);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "large_payment" });
  });

  it("is approved as it was displayed: to another address it needs two operators again", async () => {
    await start(1_491);
    await paidOrder();
    await say("payout release 1 known customer --as ann");
    await sql`update payouts set to_address = 'thief'`.execute(database.kysely);
    await expect(say("payout confirm 1 fine --as bob")).rejects.toThrow("Nobody proposed payment 1 as it is now");
    await sql`update payouts set to_address = 'destination'`.execute(database.kysely);
    await say("payout confirm 1 fine --as bob");
    await sql`update payouts set amount = amount + 1`.execute(database.kysely);
    await sql`update orders set snapshot = jsonb_set(snapshot, '{payout,amount}', to_jsonb('1491500001'::text))`.execute(
      database.kysely,
    );
    await blocks(3);
    expect(received()).toEqual([]);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "large_payment" });
  });

  it("can't be approved by one name in the rows either", async () => {
    await start(1_491);
    await paidOrder();
    await say("payout release 1 known customer --as ann");
    await expect(sql`update payouts set approval_confirmed_by = 'Ann'`.execute(database.kysely)).rejects.toThrow(
      "payouts_approved_by_two",
    );
  });

  it("may be refunded instead, which needs two operators as well", async () => {
    await start(1_490);
    await paidOrder();
    await say(`payout refund 1 a thief's --as ann --to ${REFUND_ADDRESS}`);
    await blocks(3);
    expect(await payout()).toMatchObject({ purpose: "refund", state: "review", review_reason: "large_payment" });
    await say("payout release 1 the sender's own --as ann");
    await say("payout confirm 1 yes --as bob");
    await blocks(5);
    expect(chain.received(REFUND_ADDRESS, "eth")).toHaveLength(1);
    expect(received()).toEqual([]);
  });
});

it("a payment of the bound or less asks nobody", async () => {
  await start(1_492);
  await paidOrder();
  await blocks(3);
  expect(received()).toEqual([FULL]);
});

it("a refund that a customer asks for is bounded like a payout", async () => {
  await start(1_000);
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  chain.mine();
  await testEngine.settle();
  await askForRefund(testEngine, order);
  await sql`update orders set snapshot = snapshot #- '{heldUntil}'`.execute(database.kysely);
  await makeDue(database, "orders");
  await blocks(6);
  expect(await payout()).toMatchObject({ purpose: "refund", state: "review", review_reason: "large_payment" });
});

it("a payment of unknown worth waits for its price, and after an hour for two operators", async () => {
  await start(10_000);
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  const usdt = rates.prices.get("usdt-erc20") ?? 0n;
  chain.mine(2);
  await testEngine.settle();
  chain.mine();
  // Decided at a price, which is gone when it would be signed.
  const run = testEngine.engine.runOrders.bind(testEngine.engine);
  for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
  while (await run());
  rates.prices.delete("usdt-erc20");
  await blocks(2);
  expect(received()).toEqual([]);
  expect(await payout()).toMatchObject({ state: "intended", stuck_reason: "no_price" });
  expect(await say("held")).toContain("no_price");
  await sql`update payouts set stuck_at = stuck_at - interval '61 minutes'`.execute(database.kysely);
  await blocks(1);
  expect(await payout()).toMatchObject({ state: "review", review_reason: "large_payment", stuck_reason: null });
  rates.prices.set("usdt-erc20", usdt);
  await say("payout retry 1 prices are back --as ann");
  await blocks(4);
  expect(received()).toEqual([FULL]);
});
