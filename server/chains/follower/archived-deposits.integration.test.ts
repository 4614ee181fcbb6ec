import { DAY_MS } from "#contract/durations.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import {
  createTestEngine,
  orderBody,
  StillRates,
  type TestEngine,
} from "../../../tests/support/scenarios/test-engine.ts";
import { archiveOrders } from "../../db/archived-orders.ts";
import { inTransaction } from "../../db/transaction.ts";
import { runHeldCommand } from "../../treasury/operator/held-commands.ts";
import { dueAddresses, storeResults } from "./retired-addresses.ts";
import { runArchiveCommand } from "../../orders/archive/operator.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const HALF_ETH = 5n * 10n ** 17n;
const DUST = 1_000_000n;
const ORDERS = 150;
const client = { key: "c", traceId: "t" };

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let days: number;
const now = () => new Date(Date.now() + days * DAY_MS);

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  days = 0;
  const rates = new StillRates();
  // Above the smallest deposit that counts.
  rates.min = 10n ** 16n;
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, rates, now });
  await testEngine.settle();
});
afterEach(() => database.drop());

/** Orders that expired without a payment, in the archive. */
async function archived(count: number, body = orderBody()) {
  const orders = [];
  for (let at = 0; at < count; at += 1) orders.push(await testEngine.engine.orderService.create(body, client));
  days = 3;
  while (await testEngine.engine.expireOrders());
  await testEngine.settle();
  const ids = orders.map(({ orderId }) => orderId);
  await inTransaction(database, (transaction) => archiveOrders(transaction, ids));
  return orders;
}
const isArchived = async (orderId: string) =>
  (await database.pool.query("select from archived_orders where id = $1", [orderId])).rowCount === 1;
const archivedCount = async (): Promise<number> =>
  (await database.pool.query("select count(*)::int as n from archived_orders")).rows[0].n;
const reviews = async () =>
  (await database.pool.query("select order_id, review_reason as reason from deposits order by id")).rows;
const follow = async () => {
  for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
};
const mempool = async () => {
  for (const watch of testEngine.engine.mempoolWatches.values()) await watch.turn();
};
const say = (line: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, line.split(" "));
const held = () => say("held");
const archive = () => runArchiveCommand(database, ["archive", "--older-than", "30", "routine", "--as", "ann"], now());
const timed = async (work: () => Promise<void>): Promise<number> => {
  const begun = performance.now();
  await work();
  return Math.round(performance.now() - begun);
};

describe("150 archived orders that one block pays", () => {
  it("stay in the archive when it brings dust, in a block as in the mempool", async () => {
    const orders = await archived(ORDERS);
    for (const { depositAddress } of orders) chain.deposit(depositAddress, "eth", DUST);
    const seenMs = await timed(mempool);
    chain.mine();
    const minedMs = await timed(follow);
    console.log(`  dust for ${ORDERS} archived orders: mempool ${seenMs} ms, block ${minedMs} ms`);
    expect(await archivedCount()).toBe(ORDERS);
    expect(await reviews()).toHaveLength(ORDERS);
  });

  it("come back at most 50 in one transaction", async () => {
    const orders = await archived(ORDERS);
    for (const { depositAddress } of orders) chain.deposit(depositAddress, "eth", HALF_ETH);
    chain.mine();
    const ms = await timed(follow);
    console.log(`  payments for ${ORDERS} archived orders: block ${ms} ms`);
    expect(await archivedCount()).toBe(0);
    // Events are never updated: their transaction is the one that brought them back.
    const { rows } = await database.pool.query(
      "select count(distinct order_id)::int as orders from order_events group by xmin::text order by 1 desc",
    );
    expect(rows).toEqual([{ orders: 50 }, { orders: 50 }, { orders: 50 }]);
  });
});

describe("what comes to an archived order", () => {
  it("is one row through a reorganisation, waits for nobody, and goes into the archive as well", async () => {
    const [order] = await archived(1);
    if (order === undefined) throw new Error("no order");
    chain.deposit(order.depositAddress, "eth", DUST);
    await mempool();
    chain.mine();
    await follow();
    chain.reorg(1, true);
    await follow();
    chain.mine();
    await testEngine.settle();
    expect(await reviews()).toEqual([{ order_id: order.orderId, reason: "dust" }]);
    expect((await testEngine.engine.orderService.info(order.orderId, "destination")).deposits).toHaveLength(1);
    expect(await held()).toBe("nothing is held");
    days = 60;
    await archive();
    expect(await reviews()).toEqual([]);
    expect((await testEngine.engine.orderService.info(order.orderId, "destination")).deposits).toHaveLength(1);

    // A payment brings the order back with its dust; what the archive knows already is no new deposit.
    chain.deposit(order.depositAddress, "eth", HALF_ETH);
    chain.mine();
    await testEngine.settle();
    expect(await isArchived(order.orderId)).toBe(false);
    expect((await reviews()).map(({ reason }) => reason)).toEqual(["dust", "after_settlement"]);
  });

  it("brings it back where the archive has that deposit: a rescan adds no second one", async () => {
    const [order] = await archived(1);
    if (order === undefined) throw new Error("no order");
    chain.deposit(order.depositAddress, "eth", DUST);
    chain.mine();
    await follow();
    days = 60;
    await archive();
    expect(await reviews()).toEqual([]);
    await database.pool.query("delete from chain_tail where height > 1");
    await follow();
    expect(await isArchived(order.orderId)).toBe(false);
    expect(await reviews()).toEqual([{ order_id: order.orderId, reason: "dust" }]);
  });

  it("is put in review where it is another coin, and what an operator does with it restores the order", async () => {
    const [order] = await archived(1);
    if (order === undefined) throw new Error("no order");
    chain.deposit(order.depositAddress, "usdt-erc20", 5_000_000n);
    chain.mine();
    await follow();
    expect(await isArchived(order.orderId)).toBe(true);
    expect(await held()).toMatch(new RegExp(`^deposit 1 {2}wrong_asset .*5 usdt-erc20.*${order.orderId}`));
    await say("deposit refund 1 why --as ann --to 0x52908400098527886E0F7030069857D2E4169EE7");
    expect(await isArchived(order.orderId)).toBe(false);
  });
});

describe("another coin than that of an archived order", () => {
  it("that is worth less than what counts is dust, for which nobody is asked", async () => {
    const [order] = await archived(1);
    if (order === undefined) throw new Error("no order");
    for (let crumb = 0; crumb < 20; crumb += 1) chain.deposit(order.depositAddress, "usdt-erc20", 10n);
    chain.deposit(order.depositAddress, "usdt-erc20", 5_000_000n);
    chain.mine();
    await follow();
    expect(await isArchived(order.orderId)).toBe(true);
    const reasons = (await reviews()).map(({ reason }) => reason);
    expect(reasons).toEqual([...Array.from({ length: 20 }, () => "dust"), "wrong_asset"]);
    expect((await held())?.split("\n").filter((line) => line.startsWith("deposit "))).toHaveLength(1);
  });
});

describe("dust for orders that are over", () => {
  it("keeps none of them from the archive, and is no late deposit while it waits in a mempool", async () => {
    const order = await testEngine.engine.orderService.create(orderBody(), client);
    days = 3;
    while (await testEngine.engine.expireOrders());
    chain.deposit(order.depositAddress, "eth", DUST);
    await mempool();
    while (await testEngine.engine.runOrders());
    expect(await reviews()).toEqual([{ order_id: order.orderId, reason: null }]);
    chain.mine();
    await testEngine.settle();
    expect(await reviews()).toEqual([{ order_id: order.orderId, reason: "dust" }]);
    expect(await held()).toBe("nothing is held");
    days = 60;
    await database.pool.query("update deposit_addresses set watched_from = 1");
    await archive();
    expect(await isArchived(order.orderId), "its address was not looked at since").toBe(false);
    await database.pool.query("update deposit_addresses set settled_deposit = 1");
    await archive();
    expect(await isArchived(order.orderId)).toBe(true);
  });
});

describe("a scan of the address of an archived order", () => {
  it("counts the dust that came since the scan before, once", async () => {
    const [order] = await archived(1);
    if (order === undefined) throw new Error("no order");
    await database.pool.query("update deposit_addresses set settled_balance = 100, next_look_at = '-infinity'");
    chain.deposit(order.depositAddress, "eth", DUST);
    chain.mine();
    await follow();
    const look = async () => {
      await database.pool.query("update deposit_addresses set next_look_at = '-infinity'");
      const [due] = await dueAddresses(database, { network: "ETH", coin: "eth" });
      if (due?.expected == null) throw new Error("nothing is expected there");
      await storeResults(database, "ETH", [{ ...due, expected: due.expected, initial: null }]);
      return due.expected;
    };
    expect(await look()).toBe(100n + DUST);
    expect(await look()).toBe(100n + DUST);
    days = 60;
    await archive();
    expect(await reviews()).toEqual([]);
    expect(await look()).toBe(100n + DUST);
  });
});

describe("by its id alone, nobody brings an archived order back", () => {
  it("with a wrong token, with an email, or by asking for its refund", async () => {
    const [order] = await archived(1);
    if (order === undefined) throw new Error("no order");
    const { orderId } = order;
    const { orderService } = testEngine.engine;
    await expect(orderService.stopRefund(orderId, "A".repeat(43))).rejects.toMatchObject({ code: "ERR_NOT_FOUND_E" });
    await expect(orderService.setEmail(orderId, "x@example.org")).rejects.toMatchObject({
      code: "ERR_UNPROCESSABLE_ENTITY",
    });
    expect(await orderService.refundInfo(orderId)).toMatchObject({ networkFee: "0" });
    expect(await orderService.refundInfo(orderId, "destination")).toMatchObject({ networkFee: "0" });
    expect(await isArchived(orderId)).toBe(true);
    expect(await orderService.setEmail(orderId, "x@example.org", "destination")).toMatchObject({
      isEmailConfirmed: true,
    });
    expect(await isArchived(orderId)).toBe(false);
  });
});
