import { afterEach, beforeEach, expect, it } from "vitest";
import { violations } from "../../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { SweepingChain } from "../../../tests/support/chains/sweeping-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../base/logging/log.ts";
import type { HeldAt } from "../../chains/port.ts";
import { treasuryMetrics } from "../metrics.ts";
import { runHeldCommand } from "../operator/held-commands.ts";
import { createDepositCheck } from "./deposit-check.ts";

const HALF_ETH = 5n * 10n ** 17n;
const STOLEN = 2n * 10n ** 17n;
/** What the fake chain charges the thief. */
const FEE = 21n;

let database: TestDatabase;
let chain: SweepingChain;
let testEngine: TestEngine;
let check: () => Promise<void>;
let asked: string[];
let log: string[];

beforeEach(async () => {
  database = await freshDatabase();
  chain = new SweepingChain();
  chain.mine(2);
  asked = [];
  log = [];
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  const balance = chain.depositBalance.bind(chain);
  chain.depositBalance = async (from, slug) => {
    asked.push(from.address);
    return balance(from, slug);
  };
  const destination = { write: (line: string) => void log.push(line) };
  const parts = { database, readers: new Map(), wallets: new Map([["ETH", chain]]) };
  const depositCheck = createDepositCheck({ ...parts, log: createLog({ level: "error", destination }) });
  check = async () => {
    chain.mine();
    await testEngine.settle();
    await depositCheck.check("ETH");
  };
  await testEngine.settle();
});
afterEach(async () => {
  const view = { delivered: async () => [], isDeep: async () => true };
  const found = await violations(database, view, 3);
  expect(found.filter((text) => !text.endsWith("is completed and unpaid"))).toEqual([]);
  await database.drop();
});

const paidOrder = async () => {
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  return order.depositAddress;
};
const blocks = async (count: number) => {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
/** Somebody else has the key of a deposit address. */
const steal = (from: string) =>
  chain.spendOutside([{ outputIndex: -1, toAddress: "thief", slug: "eth", amount: STOLEN }], from);
const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
const metric = async () => {
  const found = treasuryMetrics(database).find(({ name }) => name === "deposit_addresses_missing");
  return (await found?.read()) ?? [];
};
const deposits = async () => {
  const { rows } = await database.pool.query<{ balance: bigint }>(
    "select balance from ledger_accounts where name = 'deposits' and slug = 'eth'",
  );
  return rows[0]?.balance;
};

it("deposit addresses whose balance agrees with the ledger are not shown", async () => {
  await paidOrder();
  await blocks(6);
  for (let run = 0; run < 3; run += 1) await check();
  expect(asked).toHaveLength(3);
  expect(await say("held")).toBe("nothing is held");
});

it("coins that are gone from one are shown, alerted once, and booked by two operators", async () => {
  const address = await paidOrder();
  await blocks(6);
  steal(address);
  await check();
  expect(await say("held"), "seen once, it may lie between two reads").toBe("nothing is held");
  await check();
  expect(await say("held")).toBe(
    `deposit address 1  less_than_booked  for 0 min  (missing 0.200000000000000021 eth, at ${address} of ETH)`,
  );
  expect(await metric()).toEqual([{ labels: { network: "ETH", slug: "eth" }, value: Number(STOLEN + FEE) }]);
  for (let run = 0; run < 3; run += 1) await check();
  expect(log).toHaveLength(1);
  await expect(say("freeze propose ETH eth deposits missing 0.2 stolen --as ann")).rejects.toThrow("misses");
  await say("freeze propose ETH eth deposits missing 0.200000000000000021 stolen --as ann");
  await say("freeze confirm 1 stolen --as bob");
  expect(await deposits()).toBe(-(HALF_ETH - STOLEN - FEE));
  await check();
  expect([await say("held"), await metric()]).toEqual(["nothing is held", []]);
  // More than what was booked is a new difference.
  chain.spendOutside([{ outputIndex: -1, toAddress: "thief", slug: "eth", amount: 1n }], address);
  await check();
  expect(await metric()).toEqual([{ labels: { network: "ETH", slug: "eth" }, value: Number(1n + FEE) }]);
});

it("what is missing there is not booked as it was long ago, until it is measured again", async () => {
  steal(await paidOrder());
  await blocks(6);
  await check();
  await check();
  await say("freeze propose ETH eth deposits missing 0.200000000000000021 stolen --as ann");
  await database.pool.query("update deposit_drifts set measured_at = now() - interval '6 minutes'");
  await expect(say("freeze confirm 1 stolen --as bob")).rejects.toThrow("measured what it misses of eth 6 minutes ago");
  await check();
  await say("freeze confirm 1 stolen --as bob");
  expect(await deposits()).toBe(-(HALF_ETH - STOLEN - FEE));
});

it("an address that agrees again, or whose coins a sweep takes, is shown no more", async () => {
  const [first, second] = [await paidOrder(), await paidOrder()];
  await blocks(6);
  const [one] = [steal(first), steal(second)];
  await check();
  await check();
  expect((await metric())[0]?.value).toBe(Number(2n * (STOLEN + FEE)));
  chain.blocks.forEach((block) => {
    block.transactions = block.transactions.filter(({ txId }) => txId !== one);
  });
  await check();
  expect((await metric())[0]?.value).toBe(Number(STOLEN + FEE));
  await testEngine.engine.planSweeps();
  await check();
  expect(await say("held")).toBe("nothing is held");
});

it("all of them are asked about in turn, some with each block and none without one", async () => {
  for (let made = 0; made < 45; made += 1) await paidOrder();
  await blocks(6);
  const counts: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = asked.length;
    await check();
    counts.push(asked.length - before);
  }
  expect(counts).toEqual([20, 20, 5]);
  expect(new Set(asked).size).toBe(45);
});

it("a node that returns many balances of one block is asked for them at the block that was read", async () => {
  const address = await paidOrder();
  await blocks(6);
  const calls: [string, readonly HeldAt[]][] = [];
  const balancesAt = async (blockHash: string, places: readonly HeldAt[]) => {
    calls.push([blockHash, places]);
    return places.map((place) => chain.holds(place.address, place.slug));
  };
  const readers = new Map([["ETH", { balancesAt }]]);
  const depositCheck = createDepositCheck({
    database,
    readers,
    wallets: new Map(),
    log: createLog({ level: "silent" }),
  });
  await depositCheck.check("ETH");
  await depositCheck.check("ETH");
  expect(calls).toMatchObject([[chain.tip.hash, [{ address, slug: "eth" }]]]);
});
