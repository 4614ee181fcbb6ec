import { afterEach, beforeEach, expect, it } from "vitest";
import type { CreateOrderBody, Order } from "#contract/order.ts";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { runUndecidedCommand } from "../../server/orders/undecided/operator.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreRows, saveRows } from "../support/database/saved-rows.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "../support/scenarios/test-engine.ts";

const REFUND = "0x52908400098527886E0F7030069857D2E4169EE7";
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let own: Database;
let ether: FakeChain;
let litecoin: FakeChain;
let engine: TestEngine;
let now: Date;

beforeEach(async () => {
  now = new Date();
  database = await freshDatabase();
  [ether, litecoin] = [new FakeChain(), new FakeChain("LTC", "ltc")];
  const parse = ether.parseAddress.bind(ether);
  ether.parseAddress = (text) => (text === REFUND ? { valid: true, canonical: text } : parse(text));
  for (const chain of [ether, litecoin]) chain.mine(2);
  await start();
});
afterEach(async () => {
  await own.close();
  await database.drop();
});

async function start(): Promise<void> {
  const rates = new StillRates();
  rates.prices.set("ltc", 100n * 10n ** 18n);
  rates.fees.set("ltc", 100_000n).set("eth", 10n ** 14n);
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  const catalogue = await loadCatalogue({ simulatedNetworks: new Set(["LTC"]) });
  engine = await createTestEngine({
    database: own,
    catalogue,
    rates,
    reader: ether,
    wallet: ether,
    others: [{ reader: litecoin, wallet: litecoin }],
    now: () => now,
  });
  await engine.settle();
}
async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    for (const chain of [ether, litecoin]) chain.mine();
    await timePasses(own);
    await engine.settle();
  }
}

/** A late deposit of a fixed order, in Ether for Litecoin: its customer has a new rate to accept. */
async function offered(): Promise<Order> {
  const body: CreateOrderBody = orderBody({
    instrumentTo: { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" },
    destinationAddress: "destination",
    rateMode: "FIXED",
    claimedPublicRate: { price: "29.83", updatedAt: now.toISOString(), claimedAmountToReceive: "14.9" },
    refundAddress: REFUND,
  });
  const order = await engine.engine.orderService.create(body, { key: "c", traceId: "test" });
  now = new Date(now.getTime() + HOUR_MS);
  ether.deposit(order.depositAddress ?? "", "eth", 5n * 10n ** 17n);
  await blocks(5);
  return order;
}
async function acceptedAfterTheBackup(): Promise<Order> {
  const order = await offered();
  const saved = await saveRows(database.url);
  await engine.engine.orderService.acceptRateModeChange({
    orderId: order.orderId,
    destinationAddress: "destination",
  });
  await blocks(8);
  await own.close();
  await restoreRows(database.pool, saved);
  await database.pool.query("drop schema saved cascade");
  await inTransaction(database, markRestored);
  now = new Date(now.getTime() + 2 * HOUR_MS);
  await start();
  await blocks(10);
  expect(paid()).toHaveLength(1);
  return order;
}
const paid = (): bigint[] => litecoin.received("destination", "ltc");
const status = async ({ orderId }: Order) => (await engine.engine.orderService.info(orderId, "destination")).status;
const order = (command: string) =>
  runUndecidedCommand({ database: own, catalogue: engine.catalogue, isRegtest: true }, `order ${command}`.split(" "));
const recovery = (command: string) => runRecoveryCommand(own, engine.catalogue, command.split(" "), correctPayment);

it("an order whose customer accepted a new rate after the backup is accepted for them, and booked as the payment that it was", async () => {
  const made = await acceptedAfterTheBackup();
  const [unknown] = await listUnknownPayments(own);
  await expect(order(`refund ${made.reference} paid --as ann`)).rejects.toThrow(`"order accept ${made.reference}"`);
  expect(await order(`accept ${made.reference} paid --as ann`)).toContain(`book ${unknown?.txId} as it`);
  await blocks(4);
  expect(await status(made)).toBe("FUNDS_WITHDRAWAL_START");
  expect(await recovery("unknown-payments")).toContain("may be payment 1 of order");
  await recovery(`unknown-payment book LTC ${unknown?.txId} 1 it was --as ann`);
  await blocks(6);
  expect(await status(made)).toBe("WITHDRAWAL_COMPLETED");
  expect(paid()).toHaveLength(1);
  expect(ether.received(REFUND, "eth")).toEqual([]);
  expect(await listHeld(own)).toEqual([]);
  expect(
    await own.kysely.selectFrom("operator_actions").select(["operator", "action", "subject"]).orderBy("id").execute(),
  ).toEqual([
    { operator: "ann", action: "order accept", subject: `order ${made.reference}` },
    { operator: "ann", action: "book payment", subject: `LTC ${unknown?.txId}` },
  ]);
});

it("nobody accepts for a customer whom no unknown payment has paid", async () => {
  const made = await offered();
  await expect(order(`accept ${made.reference} why --as ann`)).rejects.toThrow("only its customer accepts");
  expect(await status(made)).toBe("RATE_MODE_CHANGED");
});

it("is accepted once, and not beside a refund", async () => {
  const made = await acceptedAfterTheBackup();
  await order(`accept ${made.reference} paid --as ann`);
  await expect(order(`accept ${made.reference} paid --as bob`)).rejects.toThrow("is confirming");
  await expect(order(`refund ${made.reference} paid --as bob`)).rejects.toThrow("waits for no operator");
});
