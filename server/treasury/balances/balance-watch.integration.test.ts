import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { simulatedCatalogue } from "../../../tests/support/chains/simulated-catalogue.ts";
import { createLog } from "../../base/logging/log.ts";
import type { Loop } from "../../base/concurrency/loop.ts";
import { createNetworkStatus, type NetworkStatus } from "../../chains/network-status.ts";
import { createAvailableBalances, createSwitches } from "../index.ts";
import { watchTreasury } from "./balance-watch.ts";

let database: TestDatabase;
let dead: FakeChain;
let living: FakeChain;
let status: NetworkStatus;
let loops: Loop[];
let opened: string[];

beforeEach(async () => {
  database = await freshDatabase();
  status = createNetworkStatus({ log: createLog({ level: "silent" }) });
  [dead, living, loops, opened] = [new FakeChain(), new FakeChain(), [], []];
  dead.isDown = true;
  dead.balances.set("btc", 5n);
  living.balances.set("xrp", 7n);
});
afterEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()));
  await database.drop();
});

/** The treasury of two networks, the first of which is dead. */
async function watch(): Promise<void> {
  const chains = new Map([
    ["BTC", dead],
    ["XRP", living],
  ]);
  loops = await watchTreasury({
    database,
    catalogue: simulatedCatalogue(),
    wallets: chains,
    readers: chains,
    status,
    switches: createSwitches(database),
    leases: { hold: async () => true },
    activity: { isInUse: () => true },
    clock: { now: () => new Date() },
    walletCapUsd: 1,
    priceUsd: () => 10n ** 24n,
    onOpened: (network) => opened.push(network),
    log: createLog({ level: "silent" }),
  });
}

async function available(slug: string): Promise<bigint | null> {
  const availableBalances = createAvailableBalances(database, {
    catalogue: simulatedCatalogue(),
    fees: () => new Map(),
    now: () => new Date(),
  });
  await availableBalances.refresh();
  return availableBalances.available(slug, "FLOATING");
}

const booked = async (): Promise<[string, string, bigint][]> =>
  (
    await sql<{ kind: string; slug: string; amount: bigint }>`
      select t.kind, a.slug, -e.amount as amount from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
      join ledger_accounts a on a.id = e.account_id where a.name = 'hot' order by a.slug`.execute(database.kysely)
  ).rows.map(({ kind, slug, amount }) => [kind, slug, amount]);

describe("a network whose node is dead at the start", () => {
  it("takes no orders and has no available balance, and the other networks' opening balances are booked", async () => {
    await watch();
    expect([status.isUp("BTC"), status.isUp("XRP")]).toEqual([false, true]);
    expect(await available("xrp")).toBe(7n);
    expect(await available("btc")).toBe(0n);
    expect(await booked()).toEqual([["opening", "xrp", 7n]]);
    expect(opened).toEqual(["XRP"]);
  });

  it("does not keep the others' balances from being compared with their cap", async () => {
    await watch();
    const over = database.kysely.selectFrom("hot_balances").select("slug").where("over_cap", "is not", null);
    expect(await over.execute()).toEqual([{ slug: "xrp" }]);
  });

  it("has its opening balance booked once its node answers, and only once", async () => {
    await watch();
    dead.isDown = false;
    for (let turn = 0; turn < 3; turn += 1) for (const loop of loops) loop.wake();
    // The balance is stored a few statements before the network is up.
    await eventually("the books are open", () => opened.includes("BTC") || null);
    expect(await available("btc")).toBe(5n);
    expect(status.isUp("BTC")).toBe(true);
    expect(opened).toEqual(["XRP", "BTC"]);
    for (const loop of loops) loop.wake();
    await Promise.all(loops.map((loop) => loop.stop()));
    expect(await booked()).toEqual([
      ["opening", "btc", 5n],
      ["opening", "xrp", 7n],
    ]);
    // Processes without keys refuse orders that would be paid there.
    const stored = database.kysely.selectFrom("hot_addresses").select(["network", "address"]);
    expect(await stored.execute()).toEqual([{ network: living.networkTitle, address: living.hotAddress() }]);
  });

  it("takes no orders either when its opening balance was booked before, and stops no other network", async () => {
    dead.isDown = false;
    await watch();
    await Promise.all(loops.map((loop) => loop.stop()));
    dead.isDown = true;
    living.balances.set("xrp", 6n);
    await watch();
    expect(status.isUp("BTC")).toBe(false);
    expect(await available("xrp")).toBe(6n);
  });
});
