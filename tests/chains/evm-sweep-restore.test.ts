import { getAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createEvmNetwork, createEvmWallet } from "../../server/chains/evm/network.ts";
import type { NetworkReader, SweepingWallet } from "../../server/chains/port.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { createDepositCheck } from "../../server/treasury/balances/deposit-check.ts";
import { createReconciler } from "../../server/treasury/balances/reconciler.ts";
import { openBooks } from "../../server/treasury/ledger/ledger.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { settlePaymentsToOurselves } from "../../server/treasury/payouts/to-ourselves.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { restoreRows, saveRows } from "../support/database/saved-rows.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { startEvmSetup, type EvmSetup } from "./support/evm.ts";

const USDT = { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" };
const ETH = { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" };
const SLUGS = ["eth", "usdt-erc20"];
const FINAL = 12;
const clock = { now: () => new Date() };

let setup: EvmSetup;
let database: TestDatabase;
let own: Database;
let testEngine: TestEngine;
let reader: NetworkReader;
let wallet: SweepingWallet;
let made = 0;
let isSweeping = false;

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
});
afterAll(() => setup.end());
beforeEach(async () => {
  isSweeping = false;
  database = await freshDatabase();
  await startEngine();
  await openBooks(own, wallet, SLUGS, clock);
});
afterEach(async () => {
  await own.close();
  await database.drop();
});

async function startEngine(): Promise<void> {
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  const { xpub, mnemonic, hotAddress } = setup.keys;
  reader = createEvmNetwork({ ...setup.options(), xpub, hotAddress });
  wallet = createEvmWallet({ ...setup.options(), mnemonic, caps: EVM_CAPS });
  const contractAddresses = new Map(Object.entries(setup.devnet.contracts));
  testEngine = await createTestEngine({ database: own, reader, wallet, contractAddresses });
  await testEngine.settle();
}

/** With what a worker does meanwhile: sweeps, and what its reconciler compares. */
async function blocks(count: number): Promise<void> {
  const [wallets, readers] = [new Map([["ETH", wallet]]), new Map([["ETH", reader]])];
  const parts = { database: own, wallets, readers, clock, log: database.log };
  const reconciler = createReconciler({ ...parts, slugsOf: () => SLUGS, switches: testEngine.switches });
  const depositCheck = createDepositCheck(parts);
  for (let mined = 0; mined < count; mined += 1) {
    await setup.devnet.mine(1);
    await timePasses(own);
    await testEngine.settle();
    if (isSweeping) await testEngine.engine.planSweeps();
    while (await testEngine.engine.runSweeps("ETH"));
    await settlePaymentsToOurselves({ ...parts, finalDepthOf: () => FINAL }, "ETH");
    await reconciler.reconcile("ETH");
    await depositCheck.check("ETH");
  }
}

async function completed(from: typeof USDT, to: typeof USDT, amount: [text: string, units: bigint]): Promise<string> {
  const destinationAddress = getAddress(`0x${(made += 1).toString(16).padStart(4, "0").repeat(10)}`);
  const body = orderBody({
    instrumentFrom: from,
    instrumentTo: to,
    destinationAddress,
    claimedDepositAmount: amount[0],
  });
  const { depositAddress } = await testEngine.engine.orderService.create(body, { key: "test", traceId: "test" });
  await setup.devnet.pay({ to: depositAddress, slug: from.slug, amount: amount[1] });
  return depositAddress;
}

const sum = async (name: string, slug: string) =>
  (
    await own.kysely
      .selectFrom("ledger_accounts")
      .select("balance")
      .where("name", "=", name)
      .where("slug", "=", slug)
      .executeTakeFirst()
  )?.balance ?? 0n;
const sweeps = () => own.kysely.selectFrom("sweeps").select("state").execute();

it("sweeps that were made after a backup, and their gas, decide themselves after its restore: nothing is held and the books are the chain", async () => {
  const addresses = [
    await completed(USDT, ETH, ["1500", 1_500_000_000n]),
    await completed(ETH, USDT, ["0.5", 5n * 10n ** 17n]),
  ];
  const paid = () => own.kysely.selectFrom("payouts").select("id").where("state", "=", "final").execute();
  for (let more = 0; (await paid()).length < 2 && more < 60; more += 1) await blocks(1);
  expect(await sweeps()).toEqual([]);
  const backup = await saveRows(database.url);
  isSweeping = true;
  for (
    let more = 0;
    more < 40 && ((await sweeps()).length < 2 || (await sweeps()).some(({ state }) => state !== "done"));
    more += 1
  )
    await blocks(1);
  expect(await sweeps()).toEqual([{ state: "done" }, { state: "done" }]);

  await own.close();
  await restoreRows(database.pool, backup);
  await inTransaction(database, markRestored);
  await startEngine();
  for (let more = 0; more < 80; more += 1) {
    await blocks(1);
    expect((await listHeld(own)).filter(({ subject }) => !subject.startsWith("network"))).toEqual([]);
    if ((await sweeps()).length === 2 && (await sweeps()).every(({ state }) => state === "done")) break;
  }
  await blocks(2 * FINAL);

  expect(await listHeld(own)).toEqual([]);
  expect(await sweeps()).toEqual([{ state: "done" }, { state: "done" }]);
  const decisions = await own.kysely.selectFrom("unknown_payments").select("decision").distinct().execute();
  expect(decisions).toEqual([{ decision: "to ourselves" }]);
  for (const slug of SLUGS) {
    const held = await Promise.all(addresses.map((address) => wallet.depositBalance({ address, index: 0n }, slug)));
    expect(-(await sum("deposits", slug))).toBe(held.reduce((total, one) => total + one, 0n));
    expect(-(await sum("hot", slug))).toBe(await wallet.hotBalance(slug));
    expect(await sum("suspense", slug)).toBe(0n);
  }
  expect(await own.kysely.selectFrom("surpluses").selectAll().execute()).toEqual([]);
  expect(await own.kysely.selectFrom("deposit_drifts").selectAll().execute()).toEqual([]);
  expect(await own.kysely.selectFrom("deposits").select("review_reason").distinct().execute()).toEqual([
    { review_reason: null },
  ]);
});
