import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { type Database, openDatabase } from "../../server/db/database.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { runUndecidedCommand } from "../../server/orders/undecided/operator.ts";
import { refundInsteadOfPayout } from "../../server/treasury/operator/payouts.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreSavedBackup, type SavedRows, saveRows } from "../support/database/saved-rows.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import {
  askForRefund,
  createTestEngine,
  orderBody,
  StillRates,
  type TestEngine,
} from "../support/scenarios/test-engine.ts";

const LTC = { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" };
const REFUND = "0x52908400098527886E0F7030069857D2E4169EE7";
const DEPOSIT = 5n * 10n ** 17n;

let database: TestDatabase;
let own: Database;
let ether: FakeChain;
let litecoin: FakeChain;
let engine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  ether = new FakeChain();
  // Operators name addresses as the real network has them.
  const parse = ether.parseAddress.bind(ether);
  ether.parseAddress = (text) => (text === REFUND ? { valid: true, canonical: text } : parse(text));
  litecoin = new FakeChain("LTC", "ltc");
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
  rates.fees.set("ltc", 100_000n);
  rates.fees.set("eth", 10n ** 14n);
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  const catalogue = await loadCatalogue({ simulatedNetworks: new Set(["LTC"]) });
  const others = [{ reader: litecoin, wallet: litecoin }];
  engine = await createTestEngine({ database: own, catalogue, rates, reader: ether, wallet: ether, others });
  await engine.settle();
}

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    ether.mine();
    litecoin.mine();
    await timePasses(own);
    await engine.settle();
  }
}

async function restore(saved: SavedRows): Promise<void> {
  await own.close();
  await restoreSavedBackup(database, saved);
  await start();
}

/** An order whose deposit is in the backup, and whose customer is refunded after it; the backup is all that is left. */
async function refundedAfterTheBackup(refundAddress?: string) {
  const body = orderBody({ instrumentTo: LTC, destinationAddress: "dest", ...(refundAddress && { refundAddress }) });
  const order = await engine.engine.orderService.create(body, { key: "c", traceId: "t" });
  ether.deposit(order.depositAddress ?? "", "eth", DEPOSIT);
  await blocks(1);
  const saved = await saveRows(database.url);
  await askForRefund(engine, order, REFUND);
  await blocks(8);
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  await restore(saved);
  await blocks(10);
  return order;
}

const received = () => ({
  refunded: ether.received(REFUND, "eth").length,
  paid: litecoin.received("dest", "ltc").length,
});
const recovery = (command: string) => runRecoveryCommand(own, engine.catalogue, command.split(" "), correctPayment);

describe.each([
  ["named with the request", undefined],
  ["given at creation", REFUND],
])("an order that was refunded after the backup, to an address %s", (_, refundAddress) => {
  it("is paid on no other network while the refund is undecided, and an operator's two commands make it refunded", async () => {
    const { orderId } = await refundedAfterTheBackup(refundAddress);
    expect(received()).toEqual({ refunded: 1, paid: 0 });
    const [unknown] = await listUnknownPayments(own);
    expect(unknown?.orders).toEqual([{ id: orderId, isLikely: true, isOffered: false }]);
    await expect(recovery(`unknown-payment dismiss ETH ${unknown?.txId} outside --as ann`)).rejects.toThrow(orderId);

    const to = refundAddress === undefined ? { address: REFUND, memo: null } : null;
    await refundInsteadOfPayout(own, { name: "ann", reason: "refunded before the restore" }, 1n, to);
    await blocks(2);
    const { rows } = await own.pool.query("select id from payouts where purpose = 'refund'");
    await recovery(`unknown-payment book ETH ${unknown?.txId} ${rows[0]?.id} its refund --as ann`);
    await blocks(8);
    expect(received()).toEqual({ refunded: 1, paid: 0 });
    expect(await engine.engine.orderService.info(orderId, "dest")).toMatchObject({ status: "REFUND_COMPLETED" });
    expect(await listUnknownPayments(own)).toEqual([]);
  });
});

it("an order under its minimum that was refunded after the backup is refunded before its time, and booked as that payment", async () => {
  engine.rates.min = DEPOSIT * 2n;
  const order = await refundedAfterTheBackup();
  const [unknown] = await listUnknownPayments(own);
  expect(unknown?.orders).toEqual([{ id: order.orderId, isLikely: true, isOffered: false }]);
  const command = (text: string) =>
    runUndecidedCommand({ database: own, catalogue: engine.catalogue, isRegtest: true }, text.split(" "));
  const refund = `order refund ${order.reference} refunded before the restore --as ann`;
  await expect(command(`order write-off ${order.reference} why --as ann`)).rejects.toThrow("waits for no operator");
  await expect(command(refund)).rejects.toThrow("--to ADDRESS");
  // Nothing of what was refused is left.
  expect(await own.kysely.selectFrom("undecided_orders").select("order_id").execute()).toEqual([]);
  await command(`${refund} --to ${REFUND}`);
  await expect(askForRefund(engine, order, "elsewhere")).rejects.toThrow("sending the deposit back already");
  await blocks(8);
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  const { rows } = await own.pool.query("select id, state from payouts");
  expect(rows).toMatchObject([{ state: "intended" }]);
  await recovery(`unknown-payment book ETH ${unknown?.txId} ${rows[0]?.id} its refund --as ann`);
  await blocks(8);
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  expect(ether.received("elsewhere", "eth")).toEqual([]);
  expect(await engine.engine.orderService.info(order.orderId, "dest")).toMatchObject({ status: "REFUND_COMPLETED" });
  expect(await own.kysely.selectFrom("undecided_orders").select("order_id").execute()).toEqual([]);
});

it("of the orders that it may have refunded those that received about so much are named first, and none is paid", async () => {
  engine.rates.min = DEPOSIT * 20n;
  const other = await engine.engine.orderService.create(orderBody({ instrumentTo: LTC, destinationAddress: "other" }), {
    key: "other",
    traceId: "t",
  });
  ether.deposit(other.depositAddress ?? "", "eth", DEPOSIT * 10n);
  const order = await refundedAfterTheBackup();
  const [unknown] = await listUnknownPayments(own);
  expect(unknown?.orders).toEqual([
    { id: order.orderId, isLikely: true, isOffered: false },
    { id: other.orderId, isLikely: false, isOffered: false },
  ]);
  const dismissed = recovery(`unknown-payment dismiss ETH ${unknown?.txId} outside --as ann`);
  await expect(dismissed).rejects.toThrow(
    new RegExp(`: order ${order.orderId}, which may still be paid; less likely order ${other.orderId}, `),
  );
});

it("an order under its minimum has its time where no unknown payment may be its refund", async () => {
  engine.rates.min = DEPOSIT * 2n;
  const order = await refundedAfterTheBackup();
  const [unknown] = await listUnknownPayments(own);
  await recovery(`unknown-payment dismiss ETH ${unknown?.txId} outside --as ann --pays-again --adjusted`);
  await expect(
    runUndecidedCommand(
      { database: own, catalogue: engine.catalogue, isRegtest: true },
      `order refund ${order.reference} gone --as ann --to ${REFUND}`.split(" "),
    ),
  ).rejects.toThrow("waits for no operator");
});

it("an order that was created after the restore is paid meanwhile", async () => {
  await refundedAfterTheBackup();
  const later = await engine.engine.orderService.create(orderBody({ instrumentTo: LTC, destinationAddress: "later" }), {
    key: "later",
    traceId: "t",
  });
  ether.deposit(later.depositAddress ?? "", "eth", DEPOSIT);
  await blocks(10);
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  expect(litecoin.received("later", "ltc")).toHaveLength(1);
});
