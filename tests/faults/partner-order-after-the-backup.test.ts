import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { refundInsteadOfPayout, releasePayout, retryPayout } from "../../server/treasury/operator/payouts.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreSavedBackup, saveRows } from "../support/database/saved-rows.ts";
import { PartnerScenario } from "../support/partners/partner-scenario.ts";
import { askForRefund, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const OPERATOR = { name: "ann", reason: "refunded before the restore" };
const REFUND = { address: "refund", memo: null };

let database: TestDatabase;
let scenario: PartnerScenario;
let own: Database;
let engine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  scenario = await new PartnerScenario(database).start();
});
afterEach(async () => {
  await own.close();
  await scenario.stop();
  await database.drop();
});

async function start(): Promise<void> {
  const process = scenario.process();
  own = process.database;
  engine = await process.testEngine;
  engine.rates.fees.set("eth", 10n ** 14n);
}

/** An order that a partner fills; it was refunded after the backup, which is all that is left. */
async function refundedAfterTheBackup() {
  await start();
  await engine.settle();
  const body = orderBody({ destinationAddress: scenario.destination });
  const order = await engine.engine.orderService.create(body, { key: "203.0.113.9", traceId: "test" });
  scenario.orderId = order.orderId;
  scenario.chain.deposit(order.depositAddress ?? "", "eth", 5n * 10n ** 17n);
  await scenario.pass(engine, own, 1);
  const saved = await saveRows(database.url);
  await askForRefund(engine, order, REFUND.address);
  await scenario.pass(engine, own, 8);
  await own.close();
  await restoreSavedBackup(database, saved);
  await start();
  await scenario.pass(engine, own, 20);
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  return order;
}

const received = () => ({
  refunded: scenario.chain.received(REFUND.address, "eth").length,
  paid: scenario.chain.received(scenario.destination, "usdt-erc20").length,
});
const refund = () => refundInsteadOfPayout(own, OPERATOR, 1n, REFUND);
const recovery = (command: string) => runRecoveryCommand(own, engine.catalogue, command.split(" "), correctPayment);

it("an order of a partner that was refunded after the backup becomes a refund while its exchange was not opened", async () => {
  const order = await refundedAfterTheBackup();
  const [unknown] = await listUnknownPayments(own);
  await refund();
  await scenario.pass(engine, own, 2);
  await recovery(`unknown-payment book ETH ${unknown?.txId} 1 its refund --as ann`);
  await scenario.pass(engine, own, 8);
  expect(received()).toEqual({ refunded: 1, paid: 0 });
  expect(await engine.engine.orderService.info(order.orderId, scenario.destination)).toMatchObject({
    status: "REFUND_COMPLETED",
  });
  const { rows } = await database.pool.query("select state from partner_exchanges");
  expect(rows).toEqual([{ state: "abandoned" }]);
  expect(await listHeld(own)).toEqual([]);
});

it("what a partner is to pay is signed by nobody else, whatever is said of it", async () => {
  await refundedAfterTheBackup();
  const [unknown] = await listUnknownPayments(own);
  await expect(retryPayout(own, OPERATOR, 1n)).rejects.toThrow("A partner makes payment 1");
  await expect(releasePayout(own, OPERATOR, 1n)).rejects.toThrow("A partner makes payment 1");
  await recovery(`unknown-payment dismiss ETH ${unknown?.txId} another order --pays-again --adjusted --as ann`);
  await database.pool.query("update payouts set next_attempt_at = now() where route = 'partner'");
  await scenario.pass(engine, own, 20);
  expect(received().paid).toBe(1);
});

it("is no refund any more once its exchange is open", async () => {
  await refundedAfterTheBackup();
  const [unknown] = await listUnknownPayments(own);
  await refund();
  // It is begun before the order is looked at.
  await database.pool.query("update partner_exchanges set state = 'review', reason = 'a test'");
  await scenario.pass(engine, own, 1);
  const rows = async () =>
    (await database.pool.query("select state, review_reason, refund_requested_at from payouts where id = 1")).rows;
  expect(await rows()).toEqual([{ state: "intended", review_reason: null, refund_requested_at: null }]);
  await database.pool.query("update partner_exchanges set state = 'intended', reason = null, next_attempt_at = now()");
  await recovery(`unknown-payment dismiss ETH ${unknown?.txId} another order --pays-again --adjusted --as ann`);
  await scenario.pass(engine, own, 20);
  await expect(refund()).rejects.toThrow("A partner makes payment 1");
  expect(received().paid).toBe(1);
});
