import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApprovalUsd } from "../../../config/treasury.ts";
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
/** Each order pays 1,491.50 USDT. */
const TWO_ORDERS = 2_983;

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

async function start(approval: Partial<ApprovalUsd>): Promise<void> {
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, rates, approval });
  await testEngine.settle();
}
async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
}
async function order(destinationAddress: string, key: string) {
  const created = await testEngine.engine.orderService.create(orderBody({ destinationAddress }), {
    key,
    traceId: "test",
  });
  chain.deposit(created.depositAddress, "eth", HALF_ETH);
  return created;
}
const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
const states = async () =>
  (await database.kysely.selectFrom("payouts").select(["state", "review_reason"]).orderBy("id").execute()).map(
    (row) => row.review_reason ?? row.state,
  );
/** Their payments are signed in one moment. */
async function pay(...orders: [destination: string, client: string][]): Promise<void> {
  for (const [destination, client] of orders) await order(destination, client);
  await blocks(6);
}

describe("many payments under the bound of one", () => {
  it.each<[string, Partial<ApprovalUsd>, [string, string][]]>([
    [
      "to one destination",
      { hourlyUsd: TWO_ORDERS },
      [
        ["a", "1"],
        ["a", "2"],
        ["a", "3"],
      ],
    ],
    [
      "for one client",
      { hourlyUsd: TWO_ORDERS },
      [
        ["a", "1"],
        ["b", "1"],
        ["c", "1"],
      ],
    ],
    [
      "on one network",
      { networkHourlyUsd: TWO_ORDERS },
      [
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
      ],
    ],
  ])("%s are held from the one on that takes their hour over the bound", async (_what, approval, orders) => {
    await start(approval);
    await pay(...orders);
    expect((await states()).toSorted()).toEqual(["final", "final", "large_payment"]);
    expect(await say("held")).toContain("within an hour is worth more than the bound");
  });

  it("don't count together where they share neither a destination nor a client", async () => {
    await start({ hourlyUsd: TWO_ORDERS });
    await pay(["a", "1"], ["a", "1"], ["b", "2"], ["b", "2"]);
    expect(await states()).toEqual(["final", "final", "final", "final"]);
  });

  it("go on an hour later, and what waits for operators or was approved by two of them does not count", async () => {
    await start({ hourlyUsd: TWO_ORDERS });
    await pay(["a", "1"], ["a", "1"], ["a", "1"]);
    const held = await database.kysely
      .selectFrom("payouts")
      .select("id")
      .where("state", "=", "review")
      .executeTakeFirstOrThrow();
    await say(`payout release ${held.id} known customer --as ann`);
    await say(`payout confirm ${held.id} fine --as bob`);
    await blocks(5);
    expect(await states()).toEqual(["final", "final", "final"]);
    await sql`update payouts set created_at = created_at - interval '61 minutes' where id <> ${held.id}`.execute(
      database.kysely,
    );
    await pay(["a", "1"], ["a", "1"], ["a", "1"]);
    expect((await states()).toSorted()).toEqual(["final", "final", "final", "final", "final", "large_payment"]);
  });

  it("count refunds of one client too, each at its own price", async () => {
    await start({ hourlyUsd: 2_990 });
    await pay(["a", "1"]);
    const second = await order("b", "1");
    chain.mine();
    await testEngine.settle();
    await askForRefund(testEngine, second);
    await sql`update orders set snapshot = snapshot #- '{heldUntil}'`.execute(database.kysely);
    await makeDue(database, "orders");
    await blocks(6);
    expect(await states()).toEqual(["final", "large_payment"]);
  });

  it("of which one has no price wait for it", async () => {
    await start({ hourlyUsd: 100_000 });
    await pay(["a", "1"]);
    await sql`update payouts set slug = 'dai-erc20'`.execute(database.kysely);
    rates.prices.delete("dai-erc20");
    await pay(["a", "1"]);
    expect(await states()).toEqual(["final", "intended"]);
    expect(await say("held")).toContain("no_price");
  });
});
