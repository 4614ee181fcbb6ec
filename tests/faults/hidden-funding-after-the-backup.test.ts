import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { runExchangeCommand } from "../../server/liquidity/operator.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { refundInsteadOfPayout } from "../../server/treasury/operator/payouts.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { HiddenChain } from "../support/chains/hidden-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreSavedBackup, saveRows } from "../support/database/saved-rows.ts";
import { PartnerScenario, SENT_WEI } from "../support/partners/partner-scenario.ts";
import { orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const OPERATOR = { name: "ann", reason: "it was delivered" };

let database: TestDatabase;
let chain: HiddenChain;
let scenario: PartnerScenario;
let own: Database;
let engine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new HiddenChain();
  scenario = await new PartnerScenario(database, chain).start();
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

/** An order whose exchange at a partner was opened, paid and delivered after the backup, by a chain that hides whom payments pay. */
async function filledAfterTheBackup(): Promise<string> {
  await start();
  await engine.settle();
  const body = orderBody({ destinationAddress: scenario.destination });
  const order = await engine.engine.orderService.create(body, { key: "203.0.113.9", traceId: "test" });
  scenario.orderId = order.orderId;
  chain.deposit(order.depositAddress ?? "", "eth", SENT_WEI);
  await scenario.pass(engine, own, 1);
  const saved = await saveRows(database.url);
  await scenario.pass(engine, own, 10);
  await own.close();
  await restoreSavedBackup(database, saved);
  await start();
  await scenario.pass(engine, own, 20);
  expect(delivered()).toHaveLength(1);
  const [unknown] = await listUnknownPayments(own);
  expect(unknown?.pays).toBeNull();
  return unknown?.txId ?? "";
}

const delivered = (): bigint[] => chain.received(scenario.destination, "usdt-erc20");
const recovery = (command: string) => runRecoveryCommand(own, engine.catalogue, command.split(" "), correctPayment);
const refund = (isUnfunded?: boolean) =>
  refundInsteadOfPayout(own, OPERATOR, 1n, { address: "refund", memo: null }, isUnfunded);
const partner = () => scenario.changeNow.exchanges[0];
const adopt = (txId: string, more = "") =>
  runExchangeCommand(
    own,
    `exchange adopt 1 ${txId} ${partner()?.id} it was --as ann${more}`.split(" "),
    scenario.adapters(),
  );
async function isDone(): Promise<void> {
  await scenario.pass(engine, own, 20);
  expect(await engine.engine.orderService.info(scenario.orderId, scenario.destination)).toMatchObject({
    status: "WITHDRAWAL_COMPLETED",
  });
  expect(delivered()).toHaveLength(1);
  expect(scenario.payments()).toMatchObject([{ partner: "changenow", paid: [expect.any(BigInt)] }]);
  expect(await listHeld(own)).toEqual([]);
  expect(await scenario.violations()).toEqual([]);
}

it.each([true, false])(
  "an exchange that was paid by a hidden payment is named, not dismissed or refunded, and adopted (amount known: %s)",
  async (tellsAmounts) => {
    chain.tellsAmounts = tellsAmounts;
    const txId = await filledAfterTheBackup();
    const named = `"exchange adopt 1 ${txId} ID-AT-CHANGENOW REASON --as NAME --to ADDRESS"`;
    expect(await recovery("unknown-payments")).toContain(named);
    await expect(recovery(`unknown-payment dismiss ETH ${txId} outside --as ann`)).rejects.toThrow(named);
    await expect(refund()).rejects.toThrow(named);
    await expect(adopt(txId)).rejects.toThrow("--to ADDRESS");
    await adopt(txId, ` --to ${partner()?.deposit.address}`);
    await isDone();
  },
);

it("an exchange that is to be paid another amount than has left is not named, and its order all the same", async () => {
  const txId = await filledAfterTheBackup();
  await database.pool.query("update partner_exchanges set amount = amount + 1");
  await expect(recovery(`unknown-payment dismiss ETH ${txId} outside --as ann`)).rejects.toThrow(
    `order ${scenario.orderId}`,
  );
  expect(await recovery("unknown-payments")).not.toContain("exchange adopt");
  await expect(adopt(txId, ` --to ${partner()?.deposit.address}`)).rejects.toThrow("does not pay just what");
});

it("an order whose hidden payment was its refund is refunded where the operator says that no partner got it", async () => {
  const txId = await filledAfterTheBackup();
  await expect(refund()).rejects.toThrow("--unfunded");
  await refund(true);
  await scenario.pass(engine, own, 2);
  expect(chain.received("refund", "eth")).toEqual([]);
  expect(await recovery("unknown-payments")).toContain("may be payment 1 of order");
  await recovery(`unknown-payment book ETH ${txId} 1 its refund --as ann`);
  await scenario.pass(engine, own, 8);
  expect(chain.received("refund", "eth")).toEqual([]);
  expect(await listHeld(own)).toEqual([]);
});
