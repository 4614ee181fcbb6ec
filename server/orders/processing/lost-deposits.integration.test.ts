import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, kindsOf, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { runHeldCommand } from "../../treasury/operator/held-commands.ts";

const HALF_ETH = 5n * 10n ** 17n;
const DAY_MS = 86_400_000;
const REFUND_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let now: number;
let order: { orderId: string; depositAddress: string };

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  now = Date.now();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now: () => new Date(now) });
  await testEngine.settle();
  order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await blocks(1);
});
afterEach(() => database.drop());

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await testEngine.engine.refundDeposits();
    await testEngine.settle();
  }
}
const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
const info = () => testEngine.engine.orderService.info(order.orderId, "destination");
const stored = () =>
  database.kysely.selectFrom("orders").select(["state", "next_attempt_at as dueAt"]).executeTakeFirstOrThrow();

describe("an order that settles with a deposit", () => {
  it.each([
    ["credited", "credited_at = now()"],
    ["sent back", "credited_at = now(), returned_at = now()"],
    ["held", "review_reason = 'locked'"],
  ])("that was %s by somebody else in between decides nothing", async (_, change) => {
    chain.mine(2);
    for (const follower of testEngine.engine.followers.values()) await follower.turn();
    const other = await database.pool.connect();
    await other.query("begin");
    await other.query(`update deposits set ${change}`);
    const turn = testEngine.engine.runOrders();
    await eventually("the order waits for its deposit", async () => {
      const { rowCount } = await other.query(
        "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))",
      );
      return rowCount === 0 ? null : true;
    });
    await other.query("commit");
    other.release();
    await turn;
    expect(kindsOf(await info())).not.toContain("FUNDS_WITHDRAWAL_START");
    expect(await database.kysely.selectFrom("payouts").select("id").execute()).toEqual([]);
    expect(await database.kysely.selectFrom("ledger_transfers").select("id").execute()).toEqual([]);
  });
});

describe("an order whose only deposit an operator has sent back", () => {
  beforeEach(async () => {
    await database.kysely.updateTable("deposits").set({ review_reason: "locked" }).execute();
    await say(`deposit refund 1 it is stolen --as ann --to ${REFUND_ADDRESS}`);
    await blocks(4);
    expect(chain.received(REFUND_ADDRESS, "eth")).toHaveLength(1);
  });

  it("waits for another until the time to pay it is over, and then expires", async () => {
    const { state, dueAt } = await stored();
    expect(state).toBe("confirming");
    expect(dueAt).not.toBeNull();
    now += DAY_MS + 1_000;
    await database.kysely
      .updateTable("orders")
      .set({ next_attempt_at: new Date(0) })
      .execute();
    await testEngine.settle();
    expect((await info()).status).toBe("expired");
    expect(await stored()).toEqual({ state: "expired", dueAt: null });
  });

  it("is paid by another that comes in time", async () => {
    chain.deposit(order.depositAddress, "eth", HALF_ETH);
    await blocks(6);
    expect((await info()).status).toBe("WITHDRAWAL_COMPLETED");
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
  });
});

it("an order whose only deposit was written off expires", async () => {
  await database.kysely.updateTable("deposits").set({ review_reason: "locked" }).execute();
  await blocks(3);
  now += DAY_MS + 1_000;
  await say("deposit write-off 1 nobody claims it --as ann");
  await testEngine.settle();
  expect((await stored()).state).toBe("expired");
});

it("an order whose deposit a reorganisation took doesn't expire", async () => {
  await database.kysely.updateTable("deposits").set({ block_height: null, block_hash: null }).execute();
  now += DAY_MS + 1_000;
  await database.kysely
    .updateTable("orders")
    .set({ next_attempt_at: new Date(0) })
    .execute();
  await testEngine.settle();
  expect((await stored()).state).toBe("confirming");
});
