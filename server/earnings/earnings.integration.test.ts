import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { rowViolations } from "../../tests/support/checkers/row-checkers.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { EarningsScenario, USDT, USDT_TRC20 } from "../../tests/support/scenarios/earnings-scenario.ts";
import type { TestEngine } from "../../tests/support/scenarios/test-engine.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { clientHash } from "../base/client-hash.ts";
import { openDatabase } from "../db/database.ts";
import { rememberClient } from "./referrers.ts";

const FIRST_PAGE = { offset: 0, limit: 20 };
/** 30 % and 5 % of a fee of 7.5 USDT. */
const ACCRUAL = 2_250_000n;
const CASHBACK = 375_000n;

let database: TestDatabase;
let scenario: EarningsScenario;
let testEngine: TestEngine;
beforeEach(async () => {
  database = await freshDatabase();
  scenario = new EarningsScenario(database);
  testEngine = await scenario.engine();
  await testEngine.settle();
});
afterEach(() => database.drop());

const completed = async (made: Parameters<EarningsScenario["paidOrder"]>[1]) => {
  const id = await scenario.paidOrder(testEngine, made);
  await scenario.blocks(testEngine, 6);
  const row = await database.kysely.selectFrom("orders").select("state").where("id", "=", id).executeTakeFirst();
  expect(row?.state).toBe("completed");
  return id;
};
const credits = () =>
  database.kysely.selectFrom("wallet_credits").select(["user_id", "source", "amount", "state"]).orderBy("id").execute();

describe("a completed order", () => {
  it("accrues to its account's referrer and brings cashback, in the transaction that completes it", async () => {
    const ann = await scenario.user();
    const bob = await scenario.user(ann);
    await completed({ userId: bob });
    expect(await scenario.balanceOf(ann)).toBe(ACCRUAL);
    expect(await scenario.balanceOf(bob)).toBe(CASHBACK);
    const earnings = await scenario.earnings();
    expect(await earnings.affiliateBalances(ann)).toEqual([
      { ...USDT_TRC20, balance: "2.25", held: "0", accruedTotal: "2.25", withdrawnTotal: "0" },
    ]);
    const mine = await earnings.credits(bob, "CASHBACK", FIRST_PAGE);
    expect(mine).toMatchObject({ total: 1, items: [{ amount: "0.375", status: "COMPLETED", source: "CASHBACK" }] });
    expect(mine.items[0]?.orderReference).toMatch(/^[0-9A-Z]{4}-?[0-9A-Z]{4}$/);
    const theirs = await earnings.credits(ann, "AFFILIATE", FIRST_PAGE);
    expect(theirs).toMatchObject({ total: 1, items: [{ amount: "2.25", orderReference: null }] });
    expect(await rowViolations(database)).toEqual([]);
  });

  it("of a guest accrues to the link that it was made by", async () => {
    const ann = await scenario.user();
    await completed({ referrerId: (await scenario.referrerIdOf(ann)).toLowerCase() });
    expect(await credits()).toEqual([{ user_id: ann, source: "AFFILIATE", amount: ACCRUAL, state: "completed" }]);
  });

  it("never accrues to its own account", async () => {
    const ann = await scenario.user();
    await completed({ userId: ann, referrerId: await scenario.referrerIdOf(ann) });
    expect(await credits()).toEqual([{ user_id: ann, source: "CASHBACK", amount: CASHBACK, state: "completed" }]);
  });

  it("from the referrer's own browser and address waits for an operator", async () => {
    const ann = await scenario.user();
    const hash = clientHash("browser-1", "192.0.2.1");
    await rememberClient(database.kysely, { userId: ann, clientHash: hash, network: "192.0.2.1", at: scenario.now });
    const referrerId = await scenario.referrerIdOf(ann);
    await completed({ referrerId, browser: "browser-1" });
    expect(await credits()).toEqual([{ user_id: ann, source: "AFFILIATE", amount: ACCRUAL, state: "review" }]);
    expect(await scenario.balanceOf(ann)).toBe(0n);
    const elsewhere = { browser: "browser-2", clientKey: "192.0.2.2" };
    await completed({ referrerId, ...elsewhere, destinationAddress: "somebody-elses" });
    expect(await scenario.balanceOf(ann)).toBe(ACCRUAL);
  });

  it("of a guest in a private window waits for an operator where the referrer was lately", async () => {
    const ann = await scenario.user();
    const referrerId = await scenario.referrerIdOf(ann);
    const seen = { userId: ann, clientHash: clientHash("browser-1", "192.0.2.1"), network: "192.0.2.1" };
    await rememberClient(database.kysely, { ...seen, at: scenario.now });
    await completed({ referrerId, browser: "a private window" });
    expect(await credits()).toMatchObject([{ user_id: ann, state: "review" }]);
    // So does somebody with an account, which costs nothing: that a household shares the address, an operator sees.
    await completed({ referrerId, browser: "browser-3", userId: await scenario.user() });
    expect(await credits()).toMatchObject([{}, { user_id: ann, state: "review" }, { source: "CASHBACK" }]);
    scenario.now = new Date(scenario.now.getTime() + 31 * 24 * 3_600_000);
    await completed({ referrerId, browser: "a private window", destinationAddress: "somebody-elses" });
    expect((await credits()).at(-1)).toMatchObject({ user_id: ann, state: "completed" });
  });

  it("of an account that the referrer brought waits for an operator where both are used at one address, whatever browser", async () => {
    const ann = await scenario.user();
    const [second, friend] = [await scenario.user(ann), await scenario.user(ann)];
    const seen = (userId: bigint, browser: string, network: string) =>
      rememberClient(database.kysely, {
        userId,
        clientHash: clientHash(browser, network),
        network,
        at: scenario.now,
      });
    await seen(ann, "browser-1", "192.0.2.1");
    await seen(second, "browser-2", "192.0.2.1");
    await seen(friend, "browser-3", "198.51.100.7");
    const accruals = async () => (await credits()).filter(({ source }) => source === "AFFILIATE");
    await completed({ userId: second, browser: "browser-2", clientKey: "203.0.113.5" });
    expect(await accruals()).toMatchObject([{ user_id: ann, state: "review" }]);
    await completed({ userId: friend, browser: "browser-3", clientKey: "198.51.100.7" });
    expect((await accruals()).at(-1)).toMatchObject({ user_id: ann, state: "completed" });
    await completed({ userId: friend, browser: "browser-3", clientKey: "192.0.2.1" });
    expect((await accruals()).at(-1)).toMatchObject({ user_id: ann, state: "review" });
  });

  it("of an account that only follows the link waits for an operator as a guest's does, where both are used at one address", async () => {
    const ann = await scenario.user();
    const referrerId = await scenario.referrerIdOf(ann);
    const [second, friend] = [await scenario.user(), await scenario.user()];
    const seen = (userId: bigint, browser: string, network: string) => {
      const hash = clientHash(browser, network);
      return rememberClient(database.kysely, { userId, clientHash: hash, network, at: scenario.now });
    };
    await seen(ann, "browser-1", "192.0.2.1");
    await seen(second, "browser-2", "192.0.2.1");
    await seen(friend, "browser-3", "198.51.100.7");
    const accruals = async () => (await credits()).filter(({ source }) => source === "AFFILIATE");
    await completed({ referrerId, userId: second, browser: "browser-2", clientKey: "203.0.113.5" });
    expect(await accruals()).toMatchObject([{ user_id: ann, state: "review" }]);
    await completed({ referrerId, userId: friend, browser: "browser-3", clientKey: "198.51.100.7" });
    expect((await accruals()).at(-1)).toMatchObject({ user_id: ann, state: "completed" });
    await completed({ referrerId, userId: friend, browser: "browser-3", clientKey: "192.0.2.1" });
    expect((await accruals()).at(-1)).toMatchObject({ user_id: ann, state: "review" });
  });

  it.each(["127.0.0.1", "10.1.2.3", "172.31.0.9", "192.168.1.20", "::1"])(
    "of others at %s doesn't wait: it is a proxy's address, or a whole office's",
    async (network) => {
      const ann = await scenario.user();
      const second = await scenario.user(ann);
      const seen = (userId: bigint, browser: string) => {
        const hash = clientHash(browser, network);
        return rememberClient(database.kysely, { userId, clientHash: hash, network, at: scenario.now });
      };
      await seen(ann, "browser-1");
      await seen(second, "browser-2");
      await completed({
        clientKey: network,
        referrerId: await scenario.referrerIdOf(ann),
        browser: "a guest's",
        destinationAddress: "somebody-elses",
      });
      await completed({ clientKey: network, userId: second, browser: "browser-2" });
      const ofAnn = (await credits()).filter(({ user_id }) => user_id === ann);
      expect(ofAnn).toMatchObject([{ state: "completed" }, { state: "completed" }]);
    },
  );

  it("of a guest waits for an operator whatever it says of its browser, and so does the next to its address from elsewhere", async () => {
    const ann = await scenario.user();
    const referrerId = await scenario.referrerIdOf(ann);
    const seen = { userId: ann, clientHash: clientHash("browser-1", "192.0.2.1"), network: "192.0.2.1" };
    await rememberClient(database.kysely, { ...seen, at: scenario.now });
    await completed({ referrerId, destinationAddress: "a-wallet" });
    for (const browser of ["a random one", "another"]) await completed({ referrerId, browser });
    await completed({ referrerId, clientKey: "198.51.100.9", destinationAddress: "a-wallet" });
    expect((await credits()).map((credit) => (credit as { state: string }).state)).toEqual(Array(4).fill("review"));
    await completed({ referrerId, clientKey: "198.51.100.9", destinationAddress: "somebody-elses" });
    expect((await credits()).at(-1)).toMatchObject({ user_id: ann, state: "completed" });
  });

  it.each([
    ["is paid to an address of the referrer's own order", { destinationAddress: "Anns-wallet" }],
    ["goes back to an address of the referrer's own order", { refundAddress: "anns-wallet" }],
    ["is paid to an address that the referrer withdrew to", { destinationAddress: "anns-withdrawals" }],
  ])("waits for an operator where it %s, wherever it was made", async (_, made) => {
    const ann = await scenario.user();
    await completed({ userId: ann, destinationAddress: "anns-wallet", clientKey: "198.51.100.1" });
    const withdrawal = { user_id: ann, slug: USDT, network: "TRX", address: "anns-withdrawals", amount: 1n };
    const rest = { network_fee: 0n, state: "settled", client_key: "198.51.100.1", created_at: scenario.now } as const;
    await database.kysely
      .insertInto("withdrawals")
      .values({ ...withdrawal, ...rest, ended_at: scenario.now })
      .execute();
    const referrerId = await scenario.referrerIdOf(ann);
    await completed({ referrerId, browser: "elsewhere", ...made });
    const reasons = database.kysely.selectFrom("wallet_credits").select(["state", "review_reason"]);
    expect(await reasons.where("source", "=", "AFFILIATE").execute()).toEqual([
      { state: "review", review_reason: "same_address" },
    ]);
    await completed({ referrerId, browser: "elsewhere", destinationAddress: "somebody-elses" });
    expect((await credits()).at(-1)).toMatchObject({ user_id: ann, state: "completed" });
  });

  it("of a browser that doesn't say which one it is waits for an operator where the referrer did the same at its address", async () => {
    const ann = await scenario.user();
    const hash = clientHash(null, "192.0.2.1");
    await rememberClient(database.kysely, { userId: ann, clientHash: hash, network: "192.0.2.1", at: scenario.now });
    await completed({ referrerId: await scenario.referrerIdOf(ann) });
    expect(await credits()).toMatchObject([{ user_id: ann, state: "review" }]);
  });

  it("waits for an operator where two accounts use each other's links", async () => {
    const [ann, bob] = [await scenario.user(), await scenario.user()];
    await completed({ userId: ann, referrerId: await scenario.referrerIdOf(bob) });
    await completed({ userId: bob, referrerId: await scenario.referrerIdOf(ann) });
    const accruals = (await credits()).filter(({ source }) => source === "AFFILIATE");
    expect(accruals).toMatchObject([
      { user_id: bob, state: "completed" },
      { user_id: ann, state: "review" },
    ]);
  });

  it("waits for an operator where three accounts use each other's links in a ring", async () => {
    const [ann, bob, cat, dan] = [
      await scenario.user(),
      await scenario.user(),
      await scenario.user(),
      await scenario.user(),
    ];
    await completed({ userId: ann, referrerId: await scenario.referrerIdOf(bob) });
    await completed({ userId: bob, referrerId: await scenario.referrerIdOf(cat) });
    await completed({ userId: dan, referrerId: await scenario.referrerIdOf(bob) });
    await completed({ userId: cat, referrerId: await scenario.referrerIdOf(ann) });
    const accruals = (await credits()).filter(({ source }) => source === "AFFILIATE");
    expect(accruals).toMatchObject([
      { user_id: bob, state: "completed" },
      { user_id: cat, state: "completed" },
      { user_id: bob, state: "completed" },
      { user_id: ann, state: "review" },
    ]);
  });

  it("earns nothing for an account that is deleted at that moment", async () => {
    const ann = await scenario.user();
    await scenario.paidOrder(testEngine, { referrerId: await scenario.referrerIdOf(ann) });
    const deletion = await database.pool.connect();
    await deletion.query("begin");
    await deletion.query("select from users for update");
    const credited = scenario.credit(ann, 5n);
    await eventually("the credit waits for the deletion", async () => {
      const { rowCount } = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return (rowCount ?? 0) > 0 || null;
    });
    await deletion.query("update users set deleted_at = now()");
    await deletion.query("commit");
    deletion.release();
    await credited;
    await scenario.blocks(testEngine, 6);
    expect(await credits()).toEqual([]);
    expect(await scenario.balanceOf(ann)).toBe(0n);
  });

  it("of a deleted account's link earns nothing", async () => {
    const ann = await scenario.user();
    const referrerId = await scenario.referrerIdOf(ann);
    const id = await scenario.paidOrder(testEngine, { referrerId });
    await database.kysely.updateTable("users").set({ deleted_at: scenario.now }).where("id", "=", ann).execute();
    await scenario.blocks(testEngine, 6);
    expect(id).toBeTruthy();
    expect(await credits()).toEqual([]);
  });
});

it("what was earned is debited when the completion is undone, and credited again when it is done after all", async () => {
  const ann = await scenario.user();
  const bob = await scenario.user(ann);
  const id = await completed({ userId: bob });
  // What bob has withdrawn by then is our loss.
  await scenario.credit(bob, 10_000_000n);
  const earnings = await scenario.earnings();
  const address = `T${"b".repeat(33)}`;
  await earnings.withdraw({ userId: bob, clientKey: "c" }, { ...USDT_TRC20, address, amount: "10.2" });
  const payout = (state: "review" | "final") =>
    database.kysely.updateTable("payouts").set({ state }).where("order_id", "=", id).execute();
  await payout("review");
  await testEngine.engine.reverseUndone();
  await testEngine.engine.reverseUndone();
  expect((await credits()).map(({ state }) => state)).toEqual(["reversed", "reversed", "completed"]);
  expect([await scenario.balanceOf(ann), await scenario.balanceOf(bob)]).toEqual([0n, 0n]);
  expect(await scenario.ownBalance("losses")).toBe(-200_000n);
  expect(await rowViolations(database)).toEqual([]);
  await payout("final");
  await testEngine.engine.reverseUndone();
  await testEngine.engine.reverseUndone();
  expect([await scenario.balanceOf(ann), await scenario.balanceOf(bob)]).toEqual([ACCRUAL, CASHBACK - 200_000n]);
  expect(await scenario.ownBalance("losses")).toBe(0n);
  expect(await rowViolations(database)).toEqual([]);
});

it("what was earned stays where coins that came beside the order, and were sent back, are gone from the chain", async () => {
  const bob = await scenario.user(await scenario.user());
  const id = await completed({ userId: bob });
  const lose = (returned: Date | null) =>
    database.kysely
      .updateTable("deposits")
      .set({ review_reason: "gone_after_credit", returned_at: returned })
      .where("order_id", "=", id)
      .execute();
  await lose(scenario.now);
  await testEngine.engine.reverseUndone();
  expect((await credits()).map(({ state }) => state)).toEqual(["completed", "completed"]);
  await lose(null);
  await testEngine.engine.reverseUndone();
  expect((await credits()).map(({ state }) => state)).toEqual(["reversed", "reversed"]);
});

it("a creation by an unknown link is refused with the name of its field", async () => {
  for (const referrerId of ["7KQ4M2XD", "x", "a".repeat(128)])
    await expect(scenario.paidOrder(testEngine, { referrerId })).rejects.toMatchObject({
      code: "ERR_NOT_FOUND",
      message: expect.stringContaining("referrerAffiliateId"),
    });
});

it("statistics count what a link has brought, by day", async () => {
  const ann = await scenario.user();
  const bob = await scenario.user(ann);
  const made = { created_at: scenario.now };
  await database.kysely.updateTable("users").set(made).where("id", "=", bob).execute();
  await completed({ userId: bob });
  const { days, ...totals } = await (await scenario.earnings()).statistics(ann, 7);
  const figures = { clicks: 0, registrations: 1, orders: 1, earned: "2.25" };
  expect(totals).toEqual({ ...USDT_TRC20, ...figures });
  expect(days).toHaveLength(7);
  expect(days.at(-1)).toEqual({ date: "2026-11-21", ...figures });
  expect(days.at(0)).toEqual({ date: "2026-11-15", clicks: 0, registrations: 0, orders: 0, earned: "0" });
});

it("a day of the statistics is one of UTC, whatever the database's time zone is: over a month's end, and one of 25 hours", async () => {
  const ann = await scenario.user();
  const made = ["2026-10-31T23:59:59.999Z", "2026-11-01T00:00:00Z", "2026-11-01T23:59:59.999Z"];
  for (const at of made)
    await database.kysely
      .insertInto("users")
      .values({ referrer_user_id: ann, created_at: new Date(at) })
      .execute();
  // Its clocks went back in that night.
  await database.pool.query(
    "do $$ begin execute format('alter database %I set timezone to ''America/New_York''', current_database()); end $$",
  );
  const elsewhere = openDatabase(database.url, { max: 1, log: database.log, applicationName: "elsewhere" });
  onTestFinished(() => elsewhere.close());
  const earnings = await scenario.earnings(elsewhere);
  const registered = async (at: string) => {
    scenario.now = new Date(at);
    const { days } = await earnings.statistics(ann, 30);
    expect(new Set(days.map(({ date }) => date)).size).toBe(30);
    const counted = days.flatMap(({ date, registrations }) => (registrations > 0 ? [[date, registrations]] : []));
    return [days[0]?.date, days.at(-1)?.date, counted];
  };
  const october = ["2026-10-31", 1];
  const november = ["2026-11-01", 2];
  expect(await registered("2026-11-29T23:59:59.999Z")).toEqual(["2026-10-31", "2026-11-29", [october, november]]);
  expect(await registered("2026-11-30T00:00:00Z")).toEqual(["2026-11-01", "2026-11-30", [november]]);
  expect(await registered("2027-03-01T00:00:00Z")).toEqual(["2027-01-31", "2027-03-01", []]);
});

it("an account has one link, whoever asks for it at once", async () => {
  const ann = await scenario.user();
  const earnings = await scenario.earnings();
  await Promise.all(Array.from({ length: 10 }, () => earnings.referrer(ann)));
  const { referrerId, link, deeplink } = await earnings.referrer(ann);
  expect(await earnings.referrer(ann)).toMatchObject({ referrerId });
  expect(referrerId).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  expect(link).toBe(`https://wherry.test/?ref=${referrerId}`);
  expect(deeplink).toBe(`https://t.me/a_bot/app?startapp=ref___${referrerId}`);
});
