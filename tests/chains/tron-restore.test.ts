import { afterEach, beforeEach, expect, it } from "vitest";
import { hexOfBase58 } from "../../server/chains/addresses/trx.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { correctPayment } from "../../server/orders/processing/correct-payment.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { restoreRows, saveRows } from "../support/database/saved-rows.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "../support/scenarios/test-engine.ts";
import { CONFIRMATIONS, newAddress, PACE, startTronSetup, tronCatalogue, type TronSetup } from "./support/tron.ts";

const TRX = { currencyTitle: "TRX", networkTitle: "TRX", slug: "trx" };
const USDT = { currencyTitle: "USDT", networkTitle: "TRX", slug: "usdt-trc20" };
/** The network's newest final block is about so old. */
const SOLID_AGE_MS = 57_000;
/** A minute of a payment's life, and one for the clocks. */
const WAIT_MS = 2 * 60_000;
/** Until a final block is so much younger than what was the newest. */
const LIFE_BLOCKS = PACE.solidLag + WAIT_MS / PACE.blockMs;

let database: TestDatabase;
let tron: TronSetup;
let own: Database;
let testEngine: TestEngine;
/** By how much the chain's clock is ahead of ours. */
let passed = 0;

beforeEach(async () => {
  passed = 0;
  [database, tron] = await Promise.all([freshDatabase(), startTronSetup()]);
  await startEngine();
});
afterEach(async () => {
  await own.close();
  await Promise.all([tron.node.stop(), database.drop()]);
});

async function startEngine(): Promise<void> {
  const rates = new StillRates();
  rates.fees.set("usdt-trc20", 20_000_000n);
  rates.prices.set("trx", 10n ** 18n).set("usdt-trc20", 10n ** 18n);
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  const { reader, wallet } = tron.network();
  const head = async () => ({ ...(await reader.head()), minedAt: Date.now() + passed - SOLID_AGE_MS });
  const parts = { database: own, reader: { ...reader, head }, wallet, rates, catalogue: await tronCatalogue() };
  testEngine = await createTestEngine(parts);
  await testEngine.settle();
}

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    tron.node.chain.mine(1);
    await testEngine.settle();
    await makeDue(own, "orders", "payouts");
    await testEngine.settle();
  }
}

/** How many transfers of tokens any block shows, final or not. */
function receivedBy(address: string): number {
  const to = hexOfBase58(address).slice(2);
  const executions = tron.node.chain.blocks.flatMap(({ transactions }) => transactions.map((one) => one.execution));
  return executions.flatMap(({ logs }) => logs).filter(({ topics }) => topics[2]?.endsWith(to) === true).length;
}

/** Creates an order whose payout is confirmed by the next block, and saves the rows as they are then. */
async function confirmedOrder() {
  const order = await testEngine.engine.orderService.create(
    orderBody({
      instrumentFrom: TRX,
      instrumentTo: USDT,
      destinationAddress: newAddress(),
      claimedDepositAmount: "100",
      refundAddress: null,
    }),
    { key: "t", traceId: "t" },
  );
  await tron.send({ to: order.depositAddress, amount: 100_000_000n });
  await blocks(PACE.solidLag + CONFIRMATIONS - 1);
  return { order, restore: await saveRows(database.url) };
}

/** Puts the saved rows back and starts another process over them; \`isNoticed\` says whether the database is another one then. */
async function putBack(restore: Awaited<ReturnType<typeof saveRows>>, isNoticed: boolean): Promise<void> {
  await own.close();
  await restoreRows(database.pool, restore);
  await database.pool.query("drop schema saved cascade");
  if (isNoticed) await inTransaction(database, markRestored);
  await startEngine();
  await makeDue(own, "orders", "payouts");
  await testEngine.settle();
}

it("pays nothing again that is in no final block when the database falls back: payments wait until all that were signed have run out", async () => {
  const { order, restore } = await confirmedOrder();
  await blocks(2);
  expect(receivedBy(order.destinationAddress)).toBe(1);

  await putBack(restore, true);
  expect(receivedBy(order.destinationAddress)).toBe(1);
  const waits = async () => (await listHeld(own)).find(({ subject }) => subject === "network TRX");
  expect((await waits())?.details.at(-1)?.text).toMatch(/^waits for a final block made after .*Z, when every payment/);

  await blocks(PACE.solidLag + CONFIRMATIONS);
  expect(await listUnknownPayments(own)).toMatchObject([{ network: "TRX", mayBe: [{ isSame: true }] }]);
  passed = WAIT_MS + SOLID_AGE_MS - 5_000;
  await blocks(1);
  expect(await waits()).toBeDefined();
  passed = WAIT_MS + SOLID_AGE_MS + 5_000;
  await blocks(PACE.solidLag + 2);
  expect(await waits()).toBeUndefined();
  expect(receivedBy(order.destinationAddress)).toBe(1);
});

it.each([
  ["a block that is not final", 2, 0],
  ["the node's pool", 1, 1],
])(
  "pays nothing again that is in %s when old data files are put back and nothing shows it",
  async (_, mined, waiting) => {
    const { order, restore } = await confirmedOrder();
    await blocks(mined);
    expect(tron.node.chain.pending).toHaveLength(waiting);

    await putBack(restore, false);
    const unknown = await listUnknownPayments(own);
    expect(unknown).toMatchObject([{ network: "TRX", height: null, mayBe: [{ isSame: true, isUnsigned: true }] }]);
    expect(unknown[0]?.pays).toMatchObject([{ to: order.destinationAddress, slug: "usdt-trc20" }]);
    await blocks(PACE.solidLag + CONFIRMATIONS + 2);
    expect(await listUnknownPayments(own)).toMatchObject([{ height: expect.any(Number) }]);
    expect(receivedBy(order.destinationAddress)).toBe(1);
  },
);

it("signs nothing while the node doesn't show its pool, until all that may wait there has run out", async () => {
  const { order } = await confirmedOrder();
  tron.node.misbehave(({ path }) =>
    path === "wallet/gettransactionlistfrompending" ? { answer: { Error: "no" } } : "pass",
  );
  await blocks(LIFE_BLOCKS - 1);
  expect(receivedBy(order.destinationAddress)).toBe(0);
  await blocks(3);
  expect(receivedBy(order.destinationAddress)).toBe(1);
});

it("pays anew what was booked from the node's pool and ran out there: it is held, unbooked and dismissed", async () => {
  const { order, restore } = await confirmedOrder();
  await blocks(1);
  await putBack(restore, false);
  const txId = (await listUnknownPayments(own))[0]?.txId ?? "";
  const command = async (text: string) =>
    runRecoveryCommand(own, await tronCatalogue(), `unknown-payment ${text} --as ann`.split(" "), correctPayment);
  await command(`book TRX ${txId} 1 it is`);

  tron.node.chain.pending.splice(0);
  passed = WAIT_MS + SOLID_AGE_MS + 5_000;
  await blocks(LIFE_BLOCKS + 2);
  await own.pool.query("update payouts set replace_at = 'epoch' where replace_at is not null");
  await blocks(1);
  expect(await listHeld(own)).toMatchObject([{ subject: "payout 1", reason: "booked_and_gone" }]);

  await command(`unbook TRX ${txId} gone`);
  await command(`dismiss TRX ${txId} gone --pays-again --adjusted --gone`);
  await blocks(PACE.solidLag + CONFIRMATIONS);
  expect(receivedBy(order.destinationAddress)).toBe(1);
  expect(await listHeld(own)).toEqual([]);
});
