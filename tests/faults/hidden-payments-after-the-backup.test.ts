import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { HiddenChain } from "../support/chains/hidden-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { OfferedOrders, REFUND } from "../support/scenarios/offered-orders.ts";

const TENTH_ETH = 10n ** 17n;

let database: TestDatabase;
let hidden: HiddenChain;
let orders: OfferedOrders;

beforeEach(async () => {
  database = await freshDatabase();
  hidden = new HiddenChain("LTC", "ltc");
  orders = await new OfferedOrders(database, hidden).start();
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
const accept = (order: Order, more = "") => orders.order(`accept ${order.reference} paid --as ann${more}`);
const dismiss = async (more = "") =>
  orders.recovery(`unknown-payment dismiss LTC ${await orders.unknown()} outside --as ann${more}`);
const ltc = (amount: bigint | undefined): string =>
  `${(amount ?? 0n) / 10n ** 8n}.${`${(amount ?? 0n) % 10n ** 8n}`.padStart(8, "0")}`;
async function isPaidOnce(order: Order): Promise<void> {
  await orders.blocks(8);
  expect(await orders.status(order)).toBe("WITHDRAWAL_COMPLETED");
  expect(orders.paid()).toHaveLength(1);
  expect(orders.ether.received(REFUND, "eth")).toEqual([]);
  expect(await listHeld(orders.own)).toEqual([]);
}

describe("where the wallet says what has left it, an order that was paid out after the backup", () => {
  it("is named by the amount, can't be dismissed or refunded, and is accepted as that payment", async () => {
    const order = await acceptedAfterTheBackup();
    const listed = await orders.recovery("unknown-payments");
    expect(listed).toContain(`to a hidden address (may have paid or refunded order ${order.orderId}`);
    expect(listed).toContain(
      `"order accept ${order.orderId} REASON --as NAME --transaction ${await orders.unknown()}"`,
    );
    expect(listed).not.toContain("no open payment owes");
    await expect(dismiss()).rejects.toThrow("may be what is still to be paid");
    await expect(orders.order(`refund ${order.reference} paid --as ann`)).rejects.toThrow("has paid order");
    await accept(order);
    await isPaidOnce(order);
  });

  it("is booked as what has left, which a later offer may have changed, once its operator names it", async () => {
    const order = await acceptedAfterTheBackup();
    const [paid] = orders.paid();
    await database.pool.query(
      `update orders set snapshot = jsonb_set(snapshot, '{offer,amount}', to_jsonb(((snapshot#>>'{offer,amount}')::numeric + 7)::text))`,
    );
    const named = ` --transaction ${await orders.unknown()}`;
    await expect(accept(order)).rejects.toThrow(named);
    await expect(accept(order, `${named} --amount 1.5`)).rejects.toThrow("another amount");
    await accept(order, named);
    await isPaidOnce(order);
    expect((await database.pool.query("select amount::text from payouts")).rows).toEqual([{ amount: `${paid}` }]);
  });

  it("is not proven by what another open payment owes exactly", async () => {
    const order = await orders.offered();
    const other = await orders.floating("another", 4n * TENTH_ETH);
    await orders.blocks(1);
    await orders.restoredAfter(() => orders.blocks(8));
    const txId = await orders.unknown();
    await expect(accept(order, ` --transaction ${txId}`)).rejects.toThrow("payment 1 of order");
    await orders.recovery(`unknown-payment book LTC ${txId} 1 it was --as ann`);
    await orders.blocks(8);
    expect(orders.paid()).toEqual([]);
    expect(orders.paid("another")).toHaveLength(1);
    expect(await orders.status(other, "another")).toBe("WITHDRAWAL_COMPLETED");
    expect(await orders.status(order)).toBe("RATE_MODE_CHANGED");
  });
});

it("a floating order's payment that was decided anew for another sum is booked as what has left", async () => {
  const order = await orders.floating("destination", 4n * TENTH_ETH);
  await orders.blocks(1);
  await orders.restoredAfter(() => orders.blocks(8));
  const [paid] = orders.paid();
  await database.pool.query("update payouts set amount = amount - 5");
  await database.pool.query(
    `update orders set snapshot = jsonb_set(snapshot, '{payout,amount}', to_jsonb(((snapshot#>>'{payout,amount}')::numeric - 5)::text))`,
  );
  expect(await orders.recovery("unknown-payments")).toContain("may be payment 1 of order");
  await orders.recovery(`unknown-payment book LTC ${await orders.unknown()} 1 it was --as ann`);
  await isPaidOnce(order);
  expect((await database.pool.query("select amount::text from payouts")).rows).toEqual([{ amount: `${paid}` }]);
});

describe("of eleven open payments of a network", () => {
  /** Each was made after the backup, and is to be made once more by the rows. */
  async function paidAfterTheBackup(): Promise<Order> {
    const order = await orders.offered();
    for (let n = 1; n <= 11; n += 1) await orders.floating(`destination-${n}`, 4n * TENTH_ETH);
    await orders.blocks(1);
    await orders.restoredAfter(() => orders.blocks(8));
    return order;
  }

  it("all are named that owe what has left", async () => {
    await paidAfterTheBackup();
    const [first] = (await orders.recovery("unknown-payments"))?.split("\n") ?? [];
    for (let id = 1; id <= 11; id += 1) expect(first).toContain(`payment ${id} of order`);
  });

  it("the one is found that owes what an operator says has left", async () => {
    hidden.tellsAmounts = false;
    const order = await paidAfterTheBackup();
    await database.pool.query("update payouts set amount = amount + id where id < 11");
    const { rows } = await database.pool.query<{ amount: string }>("select amount from payouts where id = 11");
    const said = ` --transaction ${await orders.unknown()} --amount ${ltc(BigInt(rows[0]?.amount ?? 0))}`;
    await expect(accept(order, said)).rejects.toThrow("payment 11 of order");
  });
});

describe("where the wallet doesn't say what has left it, an order that was paid out after the backup", () => {
  beforeEach(() => {
    hidden.tellsAmounts = false;
  });

  it("is named, can't be dismissed, and is accepted with the amount that its operator says", async () => {
    const order = await acceptedAfterTheBackup();
    const txId = await orders.unknown();
    const listed = await orders.recovery("unknown-payments");
    expect(listed).toContain("what it pays is hidden");
    expect(listed).toContain(`--transaction ${txId} --amount AMOUNT"`);
    await expect(dismiss()).rejects.toThrow("may be what is still to be paid");
    await expect(orders.order(`refund ${order.reference} paid --as ann`)).rejects.toThrow("may have paid");
    await expect(accept(order)).rejects.toThrow("--amount AMOUNT");
    await expect(accept(order, ` --transaction ${txId}`)).rejects.toThrow("--amount AMOUNT");
    await accept(order, ` --transaction ${txId} --amount ${ltc(orders.paid()[0])}`);
    await isPaidOnce(order);
  });

  it("is paid once more only where its operator says so", async () => {
    const order = await acceptedAfterTheBackup();
    await dismiss(" --pays-again");
    await orders.blocks(4);
    expect(orders.paid()).toHaveLength(1);
    expect(await orders.status(order)).toBe("RATE_MODE_CHANGED");
  });
});

describe.each([
  ["has sent another sum", true],
  ["hides what it has sent", false],
])("a payout that a payment may have made, which hides whom it pays and %s,", (_, tellsAmounts) => {
  let order: Order;
  const refund = (more = "") => {
    const parts = { database: orders.own, catalogue: orders.engine.catalogue, isRegtest: true };
    return runHeldCommand(parts, `payout refund 1 lost --as ann --to ${REFUND}${more}`.split(" "));
  };
  const refunded = () => orders.ether.received(REFUND, "eth");

  beforeEach(async () => {
    hidden.tellsAmounts = tellsAmounts;
    order = await orders.floating("destination", 4n * TENTH_ETH);
    await orders.blocks(1);
    await orders.restoredAfter(() => orders.blocks(8));
    expect(orders.paid()).toHaveLength(1);
    if (!tellsAmounts) return;
    await database.pool.query("update payouts set amount = amount - 5");
    await database.pool.query(
      `update orders set snapshot = jsonb_set(snapshot, '{payout,amount}', to_jsonb(((snapshot#>>'{payout,amount}')::numeric - 5)::text))`,
    );
  });

  it("is not refunded before its operator says that it was not made", async () => {
    const book = `book it ("unknown-payment book LTC ${await orders.unknown()} 1 REASON --as NAME")`;
    await expect(refund()).rejects.toThrow(`may have made payment 1: where it did, ${book}`);
    await expect(refund()).rejects.toThrow("say --unpaid");
    await refund(" --unpaid");
    await orders.blocks(4);
    expect([await orders.status(order), refunded()]).toEqual(["REFUND_REQUESTED", []]);
    await dismiss(" --pays-again");
    await orders.blocks(10);
    expect([await orders.status(order), refunded()]).toEqual(["REFUND_COMPLETED", [expect.any(BigInt)]]);
    expect(orders.paid()).toHaveLength(1);
  });

  it("is refunded neither where that was asked for before the payment was found", async () => {
    const decided = (decision: string | null) =>
      database.pool.query(
        "update unknown_payments set decision = $1, decided_at = case when $1::text is null then null else now() end",
        [decision],
      );
    await database.pool.query(
      "update payouts set state = 'review', review_reason = 'large_payment', review_at = now()",
    );
    await decided("not ours");
    await refund();
    await decided(null);
    await orders.blocks(4);
    const { rows } = await database.pool.query("select purpose, refund_requested_at is null as over from payouts");
    expect(rows).toEqual([{ purpose: "payout", over: false }]);
    await orders.recovery(`unknown-payment book LTC ${await orders.unknown()} 1 it was --as ann`);
    await isPaidOnce(order);
  });
});

it("an order that was made after such a payment was found does not wait for it", async () => {
  await acceptedAfterTheBackup();
  orders.now = new Date(orders.now.getTime() + 1_000);
  const later = await orders.floating("later", 4n * TENTH_ETH);
  expect(await orders.recovery("unknown-payments")).not.toContain(later.orderId);
});
