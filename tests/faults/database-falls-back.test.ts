import { afterEach, beforeEach, expect, it } from "vitest";
import { createDatabaseWatch, type DatabasePosition } from "../../server/db/backup/database-watch.ts";
import { takeDepositIndexes } from "../../server/db/backup/deposit-indexes.ts";
import { markRestored } from "../../server/db/backup/restored.ts";
import { openDatabase } from "../../server/db/database.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { chainMetrics } from "../../server/chains/metrics.ts";
import { networkHolds, recordRead } from "../../server/chains/follower/unknown-payments.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { restoreRows, saveRows } from "../support/database/saved-rows.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const stop = { action: "pay", scope: "ETH", direction: "both" } as const;
/** What a process requires at its first signature is long fulfilled afterwards. */
const payOne = async (swap: FaultySwap) => {
  await swap.open();
  swap.pay();
  await swap.blocks(8);
};

it("a database that falls back under a running worker pays nothing again: its blocks are behind the node", async () => {
  const { url, log } = database;
  const own = openDatabase(url, { max: 4, log, applicationName: "the worker" });
  const swap = await FaultySwap.over(own);
  await payOne(swap);
  await swap.testEngine.switches.stop({ ...stop, reason: "a test" });
  await swap.open();
  swap.pay();
  await swap.blocks(4);
  const restore = await saveRows(url);
  await swap.testEngine.switches.release(stop);
  await swap.blocks(4);
  expect(swap.paid()).toEqual([FULL, FULL]);
  await restoreRows(database.pool, restore);
  await swap.testEngine.switches.release(stop);

  await makeDue(own, "orders", "payouts");
  await swap.testEngine.engine.runPayouts("ETH");
  await swap.blocks(4);
  expect(swap.paid()).toEqual([FULL, FULL]);
  await own.close();
});

it("signs above blocks that the follower has not read only while they are the newest", async () => {
  const swap = await FaultySwap.over(database);
  await payOne(swap);
  await swap.open();
  swap.chain.balances.set("usdt-erc20", 0n);
  swap.pay();
  await swap.blocks(4);
  swap.chain.balances.delete("usdt-erc20");
  const attempts = () => database.kysely.selectFrom("payout_attempts").select("tx_id").execute();
  swap.chain.mine(2);
  await makeDue(database, "payouts");
  await swap.testEngine.engine.runPayouts("ETH");
  expect(await attempts()).toHaveLength(1);
  await swap.settle();
  expect(await attempts()).toHaveLength(2);
});

const unread = () =>
  database.kysely.selectFrom("followed_networks").select("network").where("unread_since", "is not", null).execute();
const errors: object[] = [];
const watchOf = (read: () => DatabasePosition) =>
  createDatabaseWatch(database, { error: (data: object) => void errors.push(data) } as never, async () => read());

it.each([
  ["has written less than before", { run: "1/b", timeline: "00000001", written: 90n }],
  ["goes on from another timeline", { run: "2/b", timeline: "00000002", written: 110n }],
])("lets every network be read again once the database %s, and assigns no address twice", async (_, after) => {
  await database.kysely.insertInto("followed_networks").values({ network: "ETH", first_height: 1 }).execute();
  const [before = 0n] = await takeDepositIndexes(database, "ETH", 1);
  let position: DatabasePosition = { run: "1/a", timeline: "00000001", written: 100n };
  const [one, other] = [watchOf(() => position), watchOf(() => position)];
  for (const watch of [one, other]) expect(await watch.check()).toBe(0);
  expect(await unread()).toEqual([]);
  position = after;
  errors.length = 0;
  expect(await one.check()).toBe(1);
  expect(await unread()).toEqual([{ network: "ETH" }]);
  const [skipped = 0n] = await takeDepositIndexes(database, "ETH", 1);
  expect(skipped).toBeGreaterThan(before + 5_000n);
  expect(await other.check()).toBe(1);
  expect(await takeDepositIndexes(database, "ETH", 1)).toEqual([skipped + 1n]);
  expect(errors).toHaveLength(1);
  expect(await one.check()).toBe(1);
});

it("lets a database go on that was started anew and has lost nothing, once its blocks are read", async () => {
  let position: DatabasePosition = { run: "1/a", timeline: "00000001", written: 100n };
  const watch = watchOf(() => position);
  await watch.check();
  position = { ...position, run: "1/b", written: 101n };
  expect(await watch.check()).toBe(1);
  expect(await watch.check()).toBe(1);
  expect(await unread()).toEqual([]);
});

it("signs again by itself once its blocks are read, however often the database falls back under one worker", async () => {
  const swap = await FaultySwap.over(database);
  await payOne(swap);
  const gauge = chainMetrics(database, () => new Map()).find(({ name }) => name === "network_unread_seconds");
  for (let fallen = 1; fallen <= 2; fallen += 1) {
    await inTransaction(database, markRestored);
    expect(await gauge?.read()).toEqual([{ labels: { network: "ETH" }, value: expect.any(Number) }]);
    await payOne(swap);
    expect(swap.paid()).toHaveLength(fallen + 1);
    expect(await unread()).toEqual([]);
    expect(await gauge?.read()).toEqual([]);
  }
});

it("signs again by itself also where its chain makes a block while its node answers", async () => {
  const swap = await FaultySwap.over(database);
  await payOne(swap);
  await inTransaction(database, markRestored);
  const head = swap.chain.head.bind(swap.chain);
  Object.assign(swap.chain, {
    head: () => {
      swap.chain.mine();
      return head();
    },
  });
  const follower = swap.testEngine.engine.followers.get("ETH");
  for (let turn = 0; turn < 3; turn += 1) await follower?.turn();
  expect(await unread()).toEqual([]);
});

it("takes no network as read by a block that the database has lost, nor by what was seen before it fell back once more", async () => {
  await database.kysely.insertInto("followed_networks").values({ network: "ETH", first_height: 1 }).execute();
  await inTransaction(database, markRestored);
  const stored = { height: 7, hash: "a" };
  await database.kysely
    .insertInto("chain_tail")
    .values({ network: "ETH", ...stored, parent_hash: "p" })
    .execute();
  const before = (await networkHolds(database, "ETH")).unread?.text ?? "";
  await inTransaction(database, markRestored);
  const since = (await networkHolds(database, "ETH")).unread?.text ?? "";
  expect(await recordRead(database, "ETH", { top: { height: 8, hash: "b" }, since })).toBe(false);
  expect(await recordRead(database, "ETH", { top: stored, since: before })).toBe(false);
  expect(await unread()).toEqual([{ network: "ETH" }]);
  expect(await recordRead(database, "ETH", { top: stored, since })).toBe(true);
  expect(await unread()).toEqual([]);
});

it("reads how much the real database has written, which grows", async () => {
  const watch = createDatabaseWatch(database, database.log);
  await watch.check();
  await database.kysely.insertInto("followed_networks").values({ network: "ETH", first_height: 1 }).execute();
  expect(await watch.check()).toBe(0);
  expect(await unread()).toEqual([]);
});
