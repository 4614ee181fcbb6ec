import { afterEach, beforeEach, expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { OfferedOrders, REFUND } from "../support/scenarios/offered-orders.ts";
import { askForRefund } from "../support/scenarios/test-engine.ts";
import { whileSigning } from "../support/scenarios/while-signing.ts";

const HALF_ETH = 5n * 10n ** 17n;

let database: TestDatabase;
let orders: OfferedOrders;

beforeEach(async () => {
  database = await freshDatabase();
  orders = new OfferedOrders(database);
});
afterEach(async () => {
  await orders.stop();
  await database.drop();
});

/** The customer has accepted a new rate after the backup, and was paid: by the restored rows the order waits for that choice. */
async function paidAfterTheBackup(): Promise<Order> {
  await orders.start();
  const order = await orders.offered();
  await orders.restoredAfter(async () => {
    await orders.accept(order);
    await orders.blocks(8);
  });
  expect(orders.paid()).toHaveLength(1);
  return order;
}
const refund = ({ orderId }: Order) =>
  askForRefund(orders.engine, { orderId, destinationAddress: "destination" }, REFUND);
async function isPaidOnce(order: Order): Promise<void> {
  await orders.order(`accept ${order.reference} paid --as ann`);
  await orders.blocks(8);
  expect(await orders.status(order)).toBe("WITHDRAWAL_COMPLETED");
  expect(orders.paid()).toHaveLength(1);
  expect(orders.ether.received(REFUND, "eth")).toEqual([]);
  expect(await listHeld(orders.own)).toEqual([]);
}

it("a customer who was paid out after the backup gets no refund while that is undecided, and none afterwards", async () => {
  const order = await paidAfterTheBackup();
  await expect(refund(order)).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
  expect(await orders.status(order)).toBe("RATE_MODE_CHANGED");
  await isPaidOnce(order);
  await expect(refund(order)).rejects.toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY" });
});

it("nobody is refunded before the network that may have paid the order out is read since the restore", async () => {
  await orders.start();
  const order = await orders.offered();
  await database.pool.query("update followed_networks set unread_since = now() where network = 'LTC'");
  await expect(refund(order)).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
  await database.pool.query("update followed_networks set unread_since = null");
  await refund(order);
  await orders.blocks(6);
  expect(await orders.status(order)).toBe("REFUND_COMPLETED");
});

it("no refund is signed beside a payment of the other network that is found while it is prepared", async () => {
  await orders.start();
  const order = await orders.offered();
  whileSigning(orders.ether, REFUND, async () => {
    orders.litecoin.spendOutside([{ outputIndex: -1, toAddress: "destination", slug: "ltc", amount: 1_400_000_000n }]);
    orders.litecoin.mine();
    await orders.engine.engine.followers.get("LTC")?.turn();
  });
  await refund(order);
  await orders.blocks(6);
  expect(orders.ether.received(REFUND, "eth")).toEqual([]);
  const txId = await orders.unknown();
  await orders.recovery(`unknown-payment dismiss LTC ${txId} made by hand --as ann --pays-again`);
  await orders.blocks(6);
  expect(await orders.status(order)).toBe("REFUND_COMPLETED");
  expect(orders.ether.received(REFUND, "eth")).toHaveLength(1);
});

it("of two equal payments an open payment of the same sum explains one: the order of the other gets no refund", async () => {
  await orders.start();
  const order = await orders.offered();
  await orders.floating("destination", HALF_ETH);
  await orders.blocks(1);
  await orders.restoredAfter(async () => {
    await orders.accept(order);
    await orders.blocks(8);
  });
  expect(orders.paid()).toHaveLength(2);
  await expect(refund(order)).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
  await expect(orders.order(`refund ${order.reference} unpaid --as ann`)).rejects.toThrow("order accept");
  await orders.order(`accept ${order.reference} paid --as ann`);
  await orders.recovery(`unknown-payment book LTC ${await orders.unknown()} 1 its payment --as ann`);
  await orders.blocks(8);
  expect(await orders.status(order)).toBe("WITHDRAWAL_COMPLETED");
  expect(orders.paid()).toHaveLength(2);
  expect(orders.ether.received(REFUND, "eth")).toEqual([]);
  expect(await listHeld(orders.own)).toEqual([]);
});

it("no automatic refund is decided while a payment is undecided that may have paid the order out", async () => {
  orders.autoRefundSeconds = 3_000;
  const order = await paidAfterTheBackup();
  expect(await orders.status(order)).toBe("RATE_MODE_CHANGED");
  await isPaidOnce(order);
});

it("the automatic refund follows once that payment was made outside", async () => {
  orders.autoRefundSeconds = 3_000;
  const order = await paidAfterTheBackup();
  await orders.recovery(`unknown-payment dismiss LTC ${await orders.unknown()} outside --as ann --pays-again`);
  await orders.blocks(8);
  expect(await orders.status(order)).toBe("REFUND_COMPLETED");
  expect(orders.ether.received(REFUND, "eth")).toHaveLength(1);
});

it("no operator refunds an order under its minimum that was paid out after the backup, and its payout is booked as that", async () => {
  await orders.start();
  const order = await orders.floating("destination", 4n * 10n ** 17n);
  await orders.blocks(1);
  const setMinimum = (wei: bigint) =>
    database.pool.query(`update orders set snapshot = jsonb_set(snapshot, '{terms,minAmount}', '"${wei}"')`);
  const underMinimum = () => setMinimum(10n ** 18n);
  await orders.restoredAfter(async () => {
    await orders.blocks(8);
  }, underMinimum);
  expect(orders.paid()).toHaveLength(1);
  const { rows } = await database.pool.query("select waiting_for from orders");
  expect(rows).toEqual([{ waiting_for: "under_minimum" }]);
  await expect(orders.order(`refund ${order.reference} unpaid --as ann --to ${REFUND}`)).rejects.toThrow(
    "may have paid",
  );
  const named = `--transaction ${await orders.unknown()}`;
  await expect(orders.order(`accept ${order.reference} paid --as ann ${named}`)).rejects.toThrow(
    "decides its payout by itself",
  );
  // As a further deposit does, which the chain shows.
  await setMinimum(1n);
  await orders.blocks(4);
  await orders.recovery(`unknown-payment book LTC ${await orders.unknown()} 1 its payment --as ann`);
  await orders.blocks(8);
  expect(await orders.status(order)).toBe("WITHDRAWAL_COMPLETED");
  expect(orders.paid()).toHaveLength(1);
});
