import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "../../server/base/logging/log.ts";
import { createReconciler } from "../../server/treasury/balances/reconciler.ts";
import { runRecoveryCommand } from "../../server/treasury/operator/recovery-commands.ts";
import { retryPayout } from "../../server/treasury/operator/payouts.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { openBooks } from "../../server/treasury/ledger/ledger.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const TOKEN = "usdt-erc20";
const HELD = 10n ** 14n;
const FOREIGN = 5n * 10n ** 9n;

let database: TestDatabase;
let chain: FakeChain;
let engine: TestEngine;
let reconciler: ReturnType<typeof createReconciler>;
let foreign: bigint;
let height: number;

beforeEach(async () => {
  [foreign, height] = [0n, 0];
  database = await freshDatabase();
  chain = new FakeChain();
  chain.balances.set(TOKEN, HELD).set("eth", 10n ** 20n);
  engine = await createTestEngine({ database, reader: chain, wallet: chain });
  const clock = { now: () => new Date() };
  await openBooks(database, chain, [TOKEN, "eth"], clock);
  reconciler = createReconciler({
    database,
    wallets: new Map([["ETH", chain]]),
    readers: new Map([["ETH", chain]]),
    slugsOf: () => [TOKEN],
    switches: engine.switches,
    clock,
    log: createLog({ level: "silent" }),
  });
  await engine.settle();
});
afterEach(() => database.drop());

const paid = (): bigint =>
  chain.blocks
    .flatMap(({ transactions }) => transactions.filter(({ from }) => from === "hot"))
    .flatMap(({ transfers }) => transfers.filter(({ slug }) => slug === TOKEN))
    .reduce((sum, { amount }) => sum + amount, 0n);

/** Blocks with a new order in every third one, so that a payment is always on its way. */
async function busyBlocks(count: number): Promise<void> {
  for (const end = height + count; height < end; height += 1) {
    if (height % 3 === 0) {
      const body = orderBody({ destinationAddress: `destination${height}` });
      const order = await engine.engine.orderService.create(body, { key: `c${height}`, traceId: "test" });
      chain.deposit(order.depositAddress, "eth", 5n * 10n ** 17n);
    }
    chain.mine();
    await timePasses(database);
    await engine.settle();
    await reconcile();
  }
}
async function reconcile(): Promise<void> {
  chain.balances.set(TOKEN, HELD - paid() + foreign);
  await reconciler.reconcile("ETH");
}
const booked = async () =>
  (await database.kysely.selectFrom("surpluses").select("amount").execute()).reduce((sum, one) => sum + one.amount, 0n);
const stopped = async () =>
  (await database.kysely.selectFrom("kill_switches").select(["scope", "cause"]).execute()).map(
    ({ scope, cause }) => `${scope} ${cause}`,
  );

it("coins that come while payments are always on their way are booked as far as these can't explain them, and missed once they leave", async () => {
  await busyBlocks(12);
  expect(await booked()).toBe(0n);
  foreign = FOREIGN;
  await busyBlocks(12);
  expect(await booked()).toBeGreaterThan(FOREIGN / 4n);
  expect(await booked()).toBeLessThanOrEqual(FOREIGN);
  expect(await stopped()).toEqual([]);
  foreign = 0n;
  await busyBlocks(4);
  expect(await stopped()).toEqual(["ETH reconciler"]);
});

it("coins of a payment that a reorganisation takes back are no surplus while it is on its way", async () => {
  let mined: { amount: bigint }[] = [];
  while (mined.length === 0) {
    await busyBlocks(1);
    const payouts = database.kysely.selectFrom("payouts").select("amount");
    mined = await payouts.where("purpose", "=", "payout").where("state", "=", "mined").execute();
  }
  foreign = mined.reduce((sum, { amount }) => sum + amount, 0n);
  await reconcile();
  await reconcile();
  expect(await booked()).toBe(0n);
});

it("what one run alone finds is not booked while payments are on their way", async () => {
  await busyBlocks(12);
  foreign = FOREIGN;
  await reconcile();
  expect(await booked()).toBe(0n);
  foreign = 0n;
  await reconcile();
  foreign = FOREIGN;
  await reconcile();
  expect(await booked()).toBe(0n);
  await reconcile();
  expect(await booked()).toBeGreaterThan(0n);
});

it("coins of a payment that was mined, undone and is held are no surplus, and not missed once it is paid again", async () => {
  const states = async () =>
    (await database.kysely.selectFrom("payouts").select(["state", "review_reason"]).execute()).map(
      ({ state, review_reason }) => `${state} ${review_reason ?? ""}`.trim(),
    );
  const quietBlocks = async (count: number) => {
    for (let mined = 0; mined < count; mined += 1) {
      chain.mine();
      await timePasses(database);
      await engine.settle();
      await reconcile();
    }
  };
  await busyBlocks(1);
  while (paid() === 0n) await quietBlocks(1);
  expect(await states()).toEqual(["mined"]);
  chain.reorg(1);
  const txId = chain.spendOutside();
  await quietBlocks(2);
  const unknown = (await listUnknownPayments(database)).map((one) => one.txId);
  for (const id of unknown)
    await runRecoveryCommand(
      database,
      engine.catalogue,
      `unknown-payment dismiss ETH ${id} outside --as ann --pays-again`.split(" "),
    );
  await quietBlocks(12);
  expect([unknown, await states()]).toEqual([[txId], ["review replaced_on_chain"]]);
  expect(await booked()).toBe(0n);
  await retryPayout(database, { name: "ann", reason: "it was undone" }, 1n);
  await quietBlocks(12);
  expect([await states(), await booked(), await stopped()]).toEqual([["final"], 0n, []]);
});
