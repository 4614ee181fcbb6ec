import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { markRestored } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { createReconciler } from "../../server/treasury/balances/reconciler.ts";
import { openBooks } from "../../server/treasury/ledger/ledger.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { listUnknownPayments } from "../../server/treasury/payouts/unknown-payments.ts";
import { settlePaymentsToOurselves } from "../../server/treasury/payouts/to-ourselves.ts";
import { CountingChain } from "../support/chains/counting-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreRows, saveRows } from "../support/database/saved-rows.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const SLUGS = ["eth", "usdt-erc20"];
const HALF_ETH = 5n * 10n ** 17n;
const FULL = 1_491_500_000n;
const CONFIRMATIONS = 3;

let database: TestDatabase;
let chain: CountingChain;
let testEngine: TestEngine;
let reconciler: ReturnType<typeof createReconciler>;
const clock = { now: () => new Date() };

beforeEach(async () => {
  chain = new CountingChain();
  chain.mine(2);
  chain.consolidations = 3;
  database = await freshDatabase();
  await openBooks(database, chain, SLUGS, clock);
  await startEngine();
});
afterEach(() => database.drop());

async function startEngine(): Promise<void> {
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  const wallets = new Map([["ETH", chain]]);
  const { switches } = testEngine;
  reconciler = createReconciler({
    database,
    wallets,
    readers: wallets,
    slugsOf: () => SLUGS,
    switches,
    clock,
    log: database.log,
  });
  await testEngine.settle();
}

const blocks = async (count: number) => {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await timePasses(database);
    await testEngine.settle();
  }
};
const compare = async () => {
  const wallets = new Map([["ETH", chain]]);
  const parts = { database, wallets, readers: wallets, finalDepthOf: () => CONFIRMATIONS, clock, log: database.log };
  await settlePaymentsToOurselves(parts, "ETH");
  await reconciler.reconcile("ETH");
};
const waits = async () => (await listHeld(database)).find(({ subject }) => subject === "network ETH");
const paid = () => chain.received("destination", "usdt-erc20");
const order = async () => {
  const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  chain.deposit(depositAddress, "eth", HALF_ETH);
};
/** What the ledger misses of the chain, or has too much. */
const difference = async () => {
  const row = await database.kysely
    .selectFrom("ledger_accounts")
    .select("balance")
    .where("name", "=", "hot")
    .where("slug", "=", "eth")
    .executeTakeFirstOrThrow();
  return (await chain.hotBalance("eth")) + row.balance;
};
const decisions = async () => {
  const rows = await database.kysely.selectFrom("unknown_payments").select("decision").execute();
  return rows.map(({ decision }) => decision);
};
const own = { outputIndex: -1, toAddress: "hot", slug: "eth", amount: 1n };

it("a backup that is restored again and again ends each time by itself, with the books of the chain", async () => {
  await order();
  await blocks(1);
  const backup = await saveRows(database.url);
  const restore = async () => {
    await restoreRows(database.pool, backup);
    await inTransaction(database, markRestored);
    await startEngine();
  };
  for (const until of [3, 4, 2]) {
    await restore();
    await blocks(until);
    await compare();
  }
  for (let block = 0; block < 40 && (await waits()) !== undefined; block += 1) {
    await blocks(1);
    await compare();
  }
  await blocks(3 * CONFIRMATIONS);
  await compare();
  await compare();
  expect(await waits()).toBeUndefined();
  expect(await listUnknownPayments(database)).toEqual([]);
  expect(new Set(await decisions())).toEqual(new Set(["to ourselves"]));
  expect(paid()).toEqual([FULL]);
  expect(await difference()).toBe(0n);
  expect(await listHeld(database)).toEqual([]);
});

describe("a payment of the hot wallet that no row knows", () => {
  it("is decided by itself where it pays the hot wallet alone, and its fee follows the chain until it is final", async () => {
    chain.spendOutside([own]);
    await blocks(1);
    expect(await decisions()).toEqual(["to ourselves"]);
    await compare();
    const fee = 21n;
    expect(await difference()).toBe(0n);
    const booked = async () => {
      const rows = await database.kysely.selectFrom("unknown_payments").select(["fee", "settled_at as end"]).execute();
      return rows.map(({ fee: cost, end }) => [cost, end !== null]);
    };
    expect(await booked()).toEqual([[fee, false]]);
    chain.reorg(1, true);
    await testEngine.settle();
    await compare();
    expect(await booked()).toEqual([[null, false]]);
    expect(await difference()).toBe(0n);
    await blocks(CONFIRMATIONS);
    await compare();
    expect(await booked()).toEqual([[fee, true]]);
    expect(await difference()).toBe(0n);
    expect(await listHeld(database)).toEqual([]);
  });

  it.each([
    ["beside that somebody else", [own, { ...own, toAddress: "elsewhere", slug: "usdt-erc20" }]],
    ["nobody that a block shows", []],
  ])("stops the network where it pays %s", async (_, transfers) => {
    chain.spendOutside(transfers);
    await blocks(1);
    expect(await decisions()).toEqual([null]);
  });

  it("lets a payment be signed again whose nonce it has used", async () => {
    await order();
    await blocks(CONFIRMATIONS);
    expect(chain.pending).toHaveLength(1);
    chain.spendOutside([own]);
    await blocks(4 * CONFIRMATIONS);
    expect(paid()).toEqual([FULL]);
  });
});
