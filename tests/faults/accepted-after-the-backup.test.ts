import { afterEach, beforeEach, expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { OfferedOrders, REFUND } from "../support/scenarios/offered-orders.ts";

let database: TestDatabase;
let orders: OfferedOrders;

beforeEach(async () => {
  database = await freshDatabase();
  orders = await new OfferedOrders(database).start();
});
afterEach(async () => {
  await orders.stop();
  await database.drop();
});

async function acceptedAfterTheBackup(): Promise<Order> {
  const order = await orders.offered();
  await orders.restoredAfter(async () => {
    await orders.accept(order);
    await orders.blocks(8);
  });
  expect(orders.paid()).toHaveLength(1);
  return order;
}
/** An offered order that was not accepted, and another one with the same destination that was paid out after the backup. */
async function paidBesideAnOffer(wei: bigint): Promise<{ order: Order; other: Order }> {
  const order = await orders.offered();
  const other = await orders.floating("destination", wei);
  await orders.blocks(1);
  await orders.restoredAfter(() => orders.blocks(8));
  expect(orders.paid()).toHaveLength(1);
  return { order, other };
}
const actions = () =>
  orders.own.kysely.selectFrom("operator_actions").select(["operator", "action", "subject"]).orderBy("id").execute();

it("an order whose customer accepted a new rate after the backup is accepted for them and booked as that payment at once", async () => {
  const order = await acceptedAfterTheBackup();
  const txId = await orders.unknown();
  expect(await orders.recovery("unknown-payments")).toContain(`"order accept ${order.orderId}`);
  await expect(orders.order(`refund ${order.reference} paid --as ann`)).rejects.toThrow(
    `"order accept ${order.reference}"`,
  );
  expect(await orders.order(`accept ${order.reference} paid --as ann`)).toContain(`${txId} has paid it`);
  expect(await orders.unknown()).toBe("");
  await orders.blocks(6);
  expect(await orders.status(order)).toBe("WITHDRAWAL_COMPLETED");
  expect(orders.paid()).toHaveLength(1);
  expect(orders.ether.received(REFUND, "eth")).toEqual([]);
  expect(await listHeld(orders.own)).toEqual([]);
  expect(await actions()).toEqual([{ operator: "ann", action: "order accept", subject: `order ${order.reference}` }]);
});

const offerMore = (by: bigint) =>
  database.pool.query(
    `update orders set snapshot = jsonb_set(snapshot, '{offer,amount}', to_jsonb(((snapshot#>>'{offer,amount}')::numeric + ${by})::text))`,
  );

it("what was paid by a later rate is accepted and booked as what it was, once its operator names it", async () => {
  const order = await acceptedAfterTheBackup();
  const [paid = 0n] = orders.paid();
  await offerMore(7n);
  const named = `--transaction ${await orders.unknown()}`;
  await expect(orders.order(`accept ${order.reference} paid --as ann`)).rejects.toThrow(named);
  await expect(orders.order(`refund ${order.reference} paid --as ann`)).rejects.toThrow("may have paid");
  await orders.order(`accept ${order.reference} paid --as ann ${named}`);
  await orders.blocks(6);
  expect(await orders.status(order)).toBe("WITHDRAWAL_COMPLETED");
  const { rows } = await database.pool.query("select amount::text, state from payouts");
  expect(rows).toEqual([{ amount: `${paid}`, state: "final" }]);
  expect(await listHeld(orders.own)).toEqual([]);
});

it("a withdrawal to an order's destination is never its payment: it has paid far more", async () => {
  const order = await acceptedAfterTheBackup();
  const [paid = 0n] = orders.paid();
  await offerMore(-(paid / 2n) - 1n);
  await expect(
    orders.order(`accept ${order.reference} paid --as ann --transaction ${await orders.unknown()}`),
  ).rejects.toThrow("far more or less");
  expect(await orders.status(order)).toBe("RATE_MODE_CHANGED");
});

it("nobody accepts for a customer whom no unknown payment has paid", async () => {
  const order = await orders.offered();
  await expect(orders.order(`accept ${order.reference} why --as ann`)).rejects.toThrow("only its customer accepts");
  expect(await orders.status(order)).toBe("RATE_MODE_CHANGED");
});

it("is accepted once, also by two operators at once, and not beside a refund", async () => {
  const order = await acceptedAfterTheBackup();
  const both = ["ann", "bob"].map((name) => orders.order(`accept ${order.reference} paid --as ${name}`));
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(orders.order(`accept ${order.reference} paid --as bob`)).rejects.toThrow("no undecided payment");
  await expect(orders.order(`refund ${order.reference} paid --as bob`)).rejects.toThrow("waits for no operator");
  await orders.blocks(6);
  expect(orders.paid()).toHaveLength(1);
});

it("what another open payment owes exactly proves no acceptance, and keeps nobody from a refund", async () => {
  const { order, other } = await paidBesideAnOffer(4n * 10n ** 17n);
  const txId = await orders.unknown();
  expect(await orders.recovery("unknown-payments")).not.toContain("order accept");
  await expect(orders.order(`accept ${order.reference} paid --as ann`)).rejects.toThrow("owes exactly that");
  await expect(orders.order(`accept ${order.reference} paid --as ann --transaction ${txId}`)).rejects.toThrow(
    "owes exactly that",
  );
  await orders.order(`refund ${order.reference} unpaid --as ann`);
  await orders.recovery(`unknown-payment book LTC ${txId} 1 it was --as ann`);
  await orders.blocks(12);
  expect(orders.paid()).toHaveLength(1);
  expect(await orders.status(other)).toBe("WITHDRAWAL_COMPLETED");
  expect(await orders.status(order)).toBe("REFUND_COMPLETED");
  expect(orders.ether.received(REFUND, "eth")).toHaveLength(1);
  expect(await listHeld(orders.own)).toEqual([]);
});

it("where another order's payment was decided anew for another sum, the operator names the transaction", async () => {
  const { order, other } = await paidBesideAnOffer(4n * 10n ** 17n);
  const txId = await orders.unknown();
  await database.pool.query("update payouts set amount = amount - 5 where id = 1");
  await database.pool.query(
    `update orders set snapshot = jsonb_set(snapshot, '{payout,amount}', to_jsonb(((snapshot#>>'{payout,amount}')::numeric - 5)::text))
     where id = '${other.orderId}'`,
  );
  await expect(orders.order(`accept ${order.reference} paid --as ann`)).rejects.toThrow(`--transaction ${txId}`);
  await expect(orders.order(`refund ${order.reference} paid --as ann`)).rejects.toThrow("may have paid");
  await orders.recovery(`unknown-payment book LTC ${txId} 1 it was --as ann`);
  await orders.blocks(12);
  expect(orders.paid()).toHaveLength(1);
  expect(await orders.status(other)).toBe("WITHDRAWAL_COMPLETED");
  expect(await orders.status(order)).toBe("RATE_MODE_CHANGED");
});

it("of two offers of one destination each payment proves one, whichever is accepted first", async () => {
  const [first, second] = [await orders.offered(), await orders.offered()];
  await orders.restoredAfter(async () => {
    // Its offer had ended: another one follows, and is accepted.
    await expect(orders.accept(first)).rejects.toThrow("rate has changed");
    await orders.accept(first);
    await orders.blocks(8);
  });
  expect(orders.paid()).toHaveLength(1);
  await orders.order(`accept ${first.reference} paid --as ann`);
  await expect(orders.order(`accept ${second.reference} paid --as ann`)).rejects.toThrow("only its customer accepts");
  await orders.blocks(12);
  expect(await orders.status(first)).toBe("WITHDRAWAL_COMPLETED");
  expect(await orders.status(second)).toBe("RATE_MODE_CHANGED");
  expect(orders.paid()).toHaveLength(1);
});

it("what somebody else decides at the same time is decided once", async () => {
  const order = await acceptedAfterTheBackup();
  const txId = await orders.unknown();
  const results = await Promise.allSettled([
    orders.order(`accept ${order.reference} paid --as ann`),
    orders.recovery(`unknown-payment dismiss LTC ${txId} outside --as bob --pays-again`),
  ]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await orders.blocks(6);
  expect(orders.paid()).toHaveLength(1);
});

it("an accepted payment that a reorganisation takes away is waited for, and never signed at the old offer", async () => {
  const order = await acceptedAfterTheBackup();
  await orders.order(`accept ${order.reference} paid --as ann`);
  const depth = orders.litecoin.tip.height - minedAt();
  orders.litecoin.reorg(depth + 1, true);
  const [lost] = orders.litecoin.pending.splice(0);
  await orders.blocks(4);
  expect(orders.paid()).toEqual([]);
  expect(await orders.status(order)).toBe("FUNDS_WITHDRAWAL_START");
  expect(await database.pool.query("select raw from payout_attempts")).toMatchObject({ rows: [{ raw: "" }] });
  if (lost !== undefined) orders.litecoin.pending.push(lost);
  await orders.blocks(8);
  expect(orders.paid()).toHaveLength(1);
  expect(await orders.status(order)).toBe("WITHDRAWAL_COMPLETED");
});

it("nothing is accepted before the deposits are confirmed again", async () => {
  const order = await acceptedAfterTheBackup();
  await database.pool.query(
    "update deposits set block_height = (select max(height) from chain_tail where network = 'ETH')",
  );
  await expect(orders.order(`accept ${order.reference} paid --as ann`)).rejects.toThrow("not confirmed");
});

const minedAt = (): number =>
  orders.litecoin.blocks.findLast(({ transactions }) => transactions.some(({ from }) => from === "hot"))?.height ?? 0;
