import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { violations } from "../../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../base/logging/log.ts";
import { openBooks } from "../ledger/ledger.ts";
import { treasuryMetrics } from "../metrics.ts";
import { runHeldCommand } from "../operator/held-commands.ts";
import { createAvailableBalances, storeHotBalances } from "./available-balances.ts";
import { createReconciler } from "./reconciler.ts";

const SLUG = "usdt-erc20";
const HOT_BALANCE = 10_000_000_000n;
const EXTRA = 2_500_000n;

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let reconciler: ReturnType<typeof createReconciler>;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.balances.set(SLUG, HOT_BALANCE).set("eth", 10n ** 18n);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  const clock = { now: () => new Date() };
  await openBooks(database, chain, [SLUG, "eth"], clock);
  reconciler = createReconciler({
    database,
    wallets: new Map([["ETH", chain]]),
    readers: new Map([["ETH", chain]]),
    slugsOf: () => [SLUG, "eth"],
    switches: testEngine.switches,
    clock,
    log: createLog({ level: "silent" }),
  });
  await testEngine.settle();
});
afterEach(async () => {
  expect(await violations(database, { delivered: async () => [], isDeep: async () => true }, 3)).toEqual([]);
  await database.drop();
});

const arrive = async (amount: bigint) => {
  chain.balances.set(SLUG, (chain.balances.get(SLUG) ?? 0n) + amount);
  await reconciler.reconcile("ETH");
};
const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
const balances = async () => {
  const { rows } = await database.pool.query<{ name: string; balance: bigint }>(
    "select name, balance from ledger_accounts where slug = $1 and balance <> 0",
    [SLUG],
  );
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]));
};
const metric = async () => {
  const found = treasuryMetrics(database).find(({ name }) => name === "suspense");
  return (await found?.read()) ?? [];
};
const available = async () => {
  await storeHotBalances(database, chain, [SLUG, "eth"]);
  const { catalogue } = testEngine;
  const known = createAvailableBalances(database, { catalogue, fees: () => new Map(), now: () => new Date() });
  await known.refresh();
  return known.available(SLUG, "FLOATING");
};

describe("coins that the books don't explain", () => {
  beforeEach(() => arrive(EXTRA));

  it("are in suspense, shown to operators, and promised to nobody", async () => {
    expect(await balances()).toEqual({ hot: -(HOT_BALANCE + EXTRA), treasury: HOT_BALANCE, suspense: EXTRA });
    expect(await say("held")).toBe(
      `surplus 1  unexplained_surplus  for 0 min  (2.5 ${SLUG}, in the hot wallet of ETH)`,
    );
    expect(await metric()).toEqual([{ labels: { slug: SLUG }, value: Number(EXTRA) }]);
    expect(await available()).toBe(HOT_BALANCE);
    await reconciler.reconcile("ETH");
    expect((await balances())["suspense"]).toBe(EXTRA);
  });

  it("are ours once two operators say so", async () => {
    expect(await say("surplus keep 1 mine --as ann")).toContain("proposal 1");
    await expect(say("surplus keep 1 mine --as bob")).rejects.toThrow("Proposal 1");
    await expect(say("freeze confirm 1 mine --as ann")).rejects.toThrow("somebody else");
    expect((await balances())["suspense"]).toBe(EXTRA);
    expect(await say("freeze confirm 1 checked --as bob")).toBe(`2.5 ${SLUG} of suspense are ours, booked.`);
    expect(await balances()).toEqual({ hot: -(HOT_BALANCE + EXTRA), treasury: HOT_BALANCE + EXTRA });
    expect([await say("held"), await metric()]).toEqual(["nothing is held", []]);
    expect(await available()).toBe(HOT_BALANCE + EXTRA);
    await expect(say("surplus returned 1 again --as ann")).rejects.toThrow("was decided already");
  });

  it("that were sent back by hand are booked so, which ends the stop for them", async () => {
    chain.balances.set(SLUG, HOT_BALANCE);
    for (let run = 0; run < 2; run += 1) await reconciler.reconcile("ETH");
    expect(await say("held")).toContain("stop pay ETH both");
    await say("surplus returned 1 sent to its sender --as ann");
    await say("freeze confirm 1 seen on the chain --as bob");
    expect(await balances()).toEqual({ hot: -HOT_BALANCE, treasury: HOT_BALANCE });
    expect(await say("held")).toBe("nothing is held");
    await reconciler.reconcile("ETH");
    expect(await say("held")).toBe("nothing is held");
  });

  it("are not ours to keep once they are gone again", async () => {
    await say("surplus keep 1 mine --as ann");
    chain.balances.set(SLUG, HOT_BALANCE);
    for (let run = 0; run < 2; run += 1) await reconciler.reconcile("ETH");
    await expect(say("freeze confirm 1 fine --as bob")).rejects.toThrow(`misses ${EXTRA} minor units of ${SLUG}`);
    chain.balances.set(SLUG, HOT_BALANCE + EXTRA);
    await reconciler.reconcile("ETH");
    await say("freeze confirm 1 back again --as bob");
    expect(await balances()).toEqual({ hot: -(HOT_BALANCE + EXTRA), treasury: HOT_BALANCE + EXTRA });
  });

  it("are decided once, whatever several operators say at one moment", async () => {
    await say("surplus keep 1 mine --as ann");
    const said = await Promise.allSettled(
      ["bob", "cay", "dan"].map((name) => say(`freeze confirm 1 fine --as ${name}`)),
    );
    expect(said.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await balances()).toEqual({ hot: -(HOT_BALANCE + EXTRA), treasury: HOT_BALANCE + EXTRA });
  });
});

describe("small amounts from unknown senders in the hot wallet", () => {
  const held = async () => ((await say("held")) ?? "").split("\n").filter((line) => line.startsWith("surplus"));

  it("are one surplus with what waits there, however many come", async () => {
    for (let sent = 0; sent < 5; sent += 1) await arrive(1n);
    expect(await held()).toEqual([expect.stringMatching(/^surplus 1 .*\(0\.000005 usdt-erc20/)]);
    await say("surplus keep 1 mine --as ann");
    await say("freeze confirm 1 checked --as bob");
    expect(await balances()).toEqual({ hot: -(HOT_BALANCE + 5n), treasury: HOT_BALANCE + 5n });
  });

  it("are a second one while the first is judged, whose amount stays as it was proposed", async () => {
    await arrive(EXTRA);
    await say("surplus keep 1 mine --as ann");
    await arrive(1n);
    await arrive(1n);
    expect(await held()).toEqual([
      expect.stringMatching(/^surplus 1 .*\(2\.5 usdt-erc20/),
      expect.stringMatching(/^surplus 2 .*\(0\.000002 usdt-erc20/),
    ]);
    expect(await say("freeze confirm 1 checked --as bob")).toBe(`2.5 ${SLUG} of suspense are ours, booked.`);
    expect((await balances())["suspense"]).toBe(2n);
  });

  it("are of the first again once its proposal was withdrawn", async () => {
    await arrive(EXTRA);
    await say("surplus keep 1 mine --as ann");
    await say("freeze withdraw 1 wrong --as ann");
    await arrive(1n);
    expect(await held()).toEqual([expect.stringMatching(/^surplus 1 .*\(2\.500001 usdt-erc20/)]);
  });
});

describe("an expected top-up", () => {
  it("is ours as far as it was expected, and the rest is in suspense", async () => {
    expect(await say(`top-up expect ETH ${SLUG} 2 from the vault --as ann`)).toBe(
      `top-up 1: 2 ${SLUG} to the hot wallet of ETH are expected for a week.`,
    );
    await arrive(1_500_000n);
    expect(await balances()).toEqual({ hot: -(HOT_BALANCE + 1_500_000n), treasury: HOT_BALANCE + 1_500_000n });
    expect(await say("held")).toBe("nothing is held");
    await arrive(1_500_000n);
    expect(await balances()).toMatchObject({ treasury: HOT_BALANCE + 2_000_000n, suspense: 1_000_000n });
  });

  it("that was cancelled, or of which nothing came within a week, explains nothing", async () => {
    await say(`top-up expect ETH ${SLUG} 2 from the vault --as ann`);
    await say("top-up cancel 1 not today --as ann");
    await expect(say("top-up cancel 1 not today --as ann")).rejects.toThrow("No top-up 1 is expected");
    await say(`top-up expect ETH ${SLUG} 2 from the vault --as ann`);
    await database.pool.query("update expected_top_ups set expires_at = now() where id = 2");
    await arrive(EXTRA);
    expect(await balances()).toMatchObject({ treasury: HOT_BALANCE, suspense: EXTRA });
  });

  it.each([
    `top-up expect LTC ${SLUG} 2 why --as ann`,
    `top-up expect ETH ${SLUG} 0 why --as ann`,
    `top-up expect ETH ${SLUG} 2 --as ann`,
    "surplus lose 1 why --as ann",
    "surplus keep 9 why --as ann",
  ])("%s is refused", async (text) => {
    await expect(say(text)).rejects.toThrow(/no instrument|no amount|Give a reason|is no command|no surplus/);
  });
});

it("a payment that waits for coins, of which nothing is signed, hides no surplus", async () => {
  const { orderId } = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  await database.pool.query(
    `insert into payouts (order_id, purpose, network, slug, to_address, amount, state, created_at)
     values ($1, 'payout', 'ETH', $2, 'a', 1, 'intended', now())`,
    [orderId, SLUG],
  );
  await arrive(EXTRA);
  expect((await balances())["suspense"]).toBe(EXTRA);
  await database.pool.query("delete from payouts");
});
