import { sql } from "kysely";
import type { RateMode } from "#contract/rate.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { createAvailableBalances, storeHotBalances } from "./available-balances.ts";
import type { AvailableBalances } from "../port.ts";

const HALF_ETH = 5n * 10n ** 17n;
const FULL = 1_491_500_000n;
const FULL_FIXED = 1_484_000_000n;
const GAS = 10n ** 14n;
const ETHER = 10n ** 18n;
const HELD = 10_000_000_000n;

/** As an account: what is sent is subtracted once it is mined. */
class AccountChain extends FakeChain {
  override showsMinedOnly = true;

  override maxCost(): bigint {
    return GAS;
  }
}

let database: TestDatabase;
let chain: AccountChain;
let testEngine: TestEngine;
let balances: AvailableBalances;
let later = 0;

beforeEach(async () => {
  later = 0;
  database = await freshDatabase();
  chain = new AccountChain();
  chain.balances.set("usdt-erc20", HELD).set("eth", ETHER);
  chain.mine(2);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  testEngine.rates.prices.set("eth", 3000n * ETHER);
  balances = createAvailableBalances(database, {
    catalogue: testEngine.catalogue,
    fees: () => new Map([["ETH:usdt-erc20", GAS]]),
    now: () => new Date(Date.now() + later),
  });
  await testEngine.settle();
});
afterEach(() => database.drop());

const open = (changes: Parameters<typeof orderBody>[0] = {}) =>
  testEngine.engine.orderService.create(orderBody(changes), { key: "test", traceId: "test" });
async function left(slug = "usdt-erc20", rateMode: RateMode = "FLOATING"): Promise<bigint | null> {
  await storeHotBalances(database, chain, ["usdt-erc20", "eth"]);
  await balances.refresh();
  return balances.available(slug, rateMode);
}
const afterTheHold = () => {
  later = testEngine.catalogue.terms.rateLockSeconds * 1000 + 60_000;
};
async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
}

describe("what can be promised", () => {
  it("falls with every order that may still be paid, and stays reserved until its payout is mined", async () => {
    expect(await left()).toBe(HELD);
    const { depositAddress } = await open();
    expect(await left()).toBe(HELD - FULL);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    for (let block = 0; block < 3; block += 1) {
      await blocks(1);
      expect(await left()).toBe(HELD - FULL);
    }
  });

  it("is free again when nobody paid within the time of a rate lock, but not while a deposit confirms", async () => {
    const { depositAddress } = await open();
    await open();
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await blocks(1);
    afterTheHold();
    expect(await left()).toBe(HELD - FULL);
  });

  it("falls at once with an order of this process, before its row is read", async () => {
    expect(await left()).toBe(HELD);
    balances.promise("usdt-erc20", FULL, "FLOATING");
    expect(balances.available("usdt-erc20", "FLOATING")).toBe(HELD - FULL);
    balances.promise("usdt-erc20", HELD, "FLOATING");
    expect(balances.available("usdt-erc20", "FLOATING")).toBe(HELD / 2n);
    balances.promise("usdt-erc20", HELD, "FIXED");
    expect(balances.available("usdt-erc20", "FIXED")).toBe(0n);
  });

  it("keeps the gas of what was promised, and nothing is promised without gas", async () => {
    await open();
    await open();
    expect(await left("eth")).toBe(ETHER - 2n * GAS);
    chain.balances.set("eth", GAS);
    expect(await left()).toBe(0n);
  });

  it("is never stopped by the gas of orders that nobody pays: it takes half of the coin at most", async () => {
    chain.balances.set("eth", 10n * GAS);
    for (let made = 0; made < 20; made += 1) await open({ claimedDepositAmount: "0.01" });
    expect(await left("eth")).toBe(5n * GAS);
    expect(await left()).toBeGreaterThan(0n);
  });

  it("is never all taken by orders that nobody pays: half of it is left to others", async () => {
    for (let made = 0; made < 6; made += 1) await open();
    expect(await left()).toBe(HELD / 2n);
  });

  it("is at most half promised at fixed rates, and what they leave at most half to floating orders", async () => {
    const fixed = { rateMode: "FIXED", refundAddress: "refund" } as const;
    for (let made = 0; made < 3; made += 1) await open(fixed);
    expect(await left("usdt-erc20", "FIXED")).toBe(HELD / 2n - 3n * FULL_FIXED);
    for (let made = 0; made < 6; made += 1) await open();
    expect(await left()).toBe((HELD - 3n * FULL_FIXED) / 2n);
  });

  it("is taken by a part of the deposit in proportion, however large the order is", async () => {
    const { depositAddress } = await open();
    chain.deposit(depositAddress, "eth", HALF_ETH / 100n);
    await blocks(1);
    expect(await left()).toBe(HELD - FULL);
    afterTheHold();
    expect(await left()).toBe(HELD - FULL / 100n);
  });

  it("is taken by a deposit in a mempool as by an order that nobody pays", async () => {
    const addresses = [];
    for (let made = 0; made < 6; made += 1) addresses.push((await open()).depositAddress);
    for (const address of addresses) chain.deposit(address, "eth", HALF_ETH);
    await testEngine.settle();
    afterTheHold();
    expect(await left()).toBe(HELD / 2n);
    const waiting = chain.pending.splice(0, 3);
    await blocks(1);
    chain.pending.push(...waiting);
    await testEngine.settle();
    expect(await left()).toBe((HELD - 3n * FULL) / 2n);
  });

  it("is not touched by finished orders", async () => {
    const { depositAddress } = await open();
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await blocks(10);
    expect(await database.kysely.selectFrom("payouts").select("state").execute()).toEqual([{ state: "final" }]);
    expect(await left()).toBe(HELD);
  });

  it("is read by an index of what is open, by its age", async () => {
    const { rows } = await database.kysely.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      // In a table of a few rows each partial index costs the same.
      await sql`drop index orders_unpaid_client, orders_unpaid_network`.execute(connection);
      await sql`set local enable_seqscan = off`.execute(connection);
      const plan = await sql<{ "QUERY PLAN": string }>`
        explain select to_slug from orders where state = 'awaiting_deposit' and created_at > now()`.execute(connection);
      await sql`rollback`.execute(connection);
      return plan;
    });
    expect(rows.map((row) => row["QUERY PLAN"]).join()).toContain("orders_unpaid_created");
  });
});

describe("a payout that the hot wallet can't afford beside those on their way", () => {
  const signed = async () =>
    (
      await database.kysely
        .selectFrom("payout_attempts")
        .innerJoin("payouts", "payouts.id", "payout_id")
        .select("payouts.amount")
        .execute()
    ).map(({ amount }) => amount);

  it("waits without a nonce, while a smaller one behind it goes on", async () => {
    chain.balances.set("usdt-erc20", FULL + FULL / 2n);
    for (const amount of ["0.5", "0.5", "0.1"]) {
      const { depositAddress } = await open({ claimedDepositAmount: amount });
      chain.deposit(depositAddress, "eth", (HALF_ETH * (amount === "0.1" ? 1n : 5n)) / 5n);
    }
    await blocks(3);
    const paid = await signed();
    expect(paid).toHaveLength(2);
    expect(paid.filter((amount) => amount === FULL)).toHaveLength(1);
    const reserved = await database.kysely.selectFrom("payout_handles").select("key").orderBy("key").execute();
    expect(reserved).toEqual([{ key: "hot:0" }, { key: "hot:1" }]);
    chain.balances.set("usdt-erc20", 3n * FULL);
    await blocks(8);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(3);
  });

  it("waits for gas too", async () => {
    chain.balances.set("eth", GAS + GAS / 2n);
    for (let made = 0; made < 2; made += 1) {
      const { depositAddress } = await open();
      chain.deposit(depositAddress, "eth", HALF_ETH);
    }
    await blocks(3);
    expect(await signed()).toEqual([FULL]);
  });
});
