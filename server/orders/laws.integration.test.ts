import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { sweepViolations } from "../../tests/support/checkers/sweep-checkers.ts";
import { inTransaction } from "../db/transaction.ts";
import { createLog } from "../base/logging/log.ts";
import { intendPayout } from "../treasury/payouts/store.ts";
import { runDueJobs } from "../db/job-runner.ts";

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
const client = { key: "one client", traceId: "test" };
const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund" });

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
});
afterEach(() => database.drop());

describe("the database refuses", () => {
  const intent = { purpose: "payout", network: "ETH", slug: "eth", toAddress: "a", toMemo: null, amount: 1n } as const;

  it("a second payment for one order, whatever its purpose", async () => {
    const { orderId } = await testEngine.engine.orderService.create(orderBody(), client);
    const intend = (purpose: "payout" | "refund") =>
      inTransaction(database, (transaction) =>
        intendPayout(transaction, { ...intent, source: { orderId }, purpose }, new Date()),
      );
    await intend("payout");
    await expect(intend("refund")).rejects.toThrow("payouts_order_id_key");
  });

  it("one nonce for two payments, until it is released", async () => {
    const ids: bigint[] = [];
    for (const body of [orderBody(), orderBody()]) {
      const { orderId } = await testEngine.engine.orderService.create(body, client);
      await inTransaction(database, (transaction) =>
        intendPayout(transaction, { ...intent, source: { orderId } }, new Date()),
      );
    }
    for (const row of await database.kysely.selectFrom("payouts").select("id").execute()) ids.push(row.id);
    const reserve = (id: bigint | undefined) =>
      sql`insert into payout_handles (network, key, payout_id, data) values ('ETH', 'hot:1', ${id}, '{}')`.execute(
        database.kysely,
      );
    await reserve(ids[0]);
    await expect(reserve(ids[1])).rejects.toThrow("payout_handles_taken");
    await sql`update payout_handles set released_at = now()`.execute(database.kysely);
    await reserve(ids[1]);
  });

  it("a second transfer for one sweep; without its index the checkers notice it", async () => {
    const sweep = await database.kysely
      .insertInto("sweeps")
      .values({
        network: "ETH",
        address: "deposit-1",
        derivation_index: 1n,
        slug: "eth",
        amount: 1n,
        state: "done",
        created_at: new Date(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const move = () =>
      inTransaction(database, (transaction) =>
        intendPayout(transaction, { ...intent, source: { sweepId: sweep.id }, purpose: "sweep" }, new Date()),
      );
    const view = { holds: async () => 0n, arrived: async () => [] };
    await move();
    await expect(move()).rejects.toThrow("payouts_one_move");
    expect(await sweepViolations(database, view)).not.toContain(`sweep ${sweep.id} has 2 moves`);
    await sql`drop index payouts_one_move`.execute(database.kysely);
    await move();
    expect(await sweepViolations(database, view)).toContain(`sweep ${sweep.id} has 2 moves`);
  });

  it("an order's payment recorded as a sweep's, and a sweep's as an order's", async () => {
    const { orderId } = await testEngine.engine.orderService.create(orderBody(), client);
    const asSweep = inTransaction(database, (transaction) =>
      intendPayout(transaction, { ...intent, source: { orderId }, purpose: "sweep" }, new Date()),
    );
    await expect(asSweep).rejects.toThrow("payouts_purpose_check");
  });

  it("to rewrite an order's history", async () => {
    await testEngine.engine.orderService.create(orderBody(), client);
    await expect(sql`update order_events set kind = 'REFUND_COMPLETED'`.execute(database.kysely)).rejects.toThrow(
      "append-only",
    );
    await expect(sql`delete from order_events`.execute(database.kysely)).rejects.toThrow("append-only");
  });
});

describe("an unpaid fixed order is a free option, so", () => {
  it("one client has fifty at most", async () => {
    for (let made = 0; made < 50; made += 1)
      await testEngine.engine.orderService.create({ ...fixed, claimedDepositAmount: "0.01" }, client);
    await expect(testEngine.engine.orderService.create(fixed, client)).rejects.toMatchObject({
      code: "ERR_BAD_REQUEST",
      httpStatus: 429,
    });
    await testEngine.engine.orderService.create(fixed, { ...client, key: "another client" });
    await testEngine.engine.orderService.create(orderBody(), client);
  });

  it("fifty at once are served, and no more, whatever their pairs", async () => {
    const receiving = ["usdt-erc20", "usdc-erc20", "dai-erc20"].map((slug) => ({
      currencyTitle: slug.slice(0, 4).replace("-", "").toUpperCase(),
      networkTitle: "ETH",
      slug,
    }));
    const bodies = Array.from({ length: 60 }, (_, n) => ({
      ...fixed,
      claimedDepositAmount: "0.01",
      instrumentTo: receiving[n % 3] ?? fixed.instrumentTo,
    }));
    const made = await Promise.allSettled(bodies.map((body) => testEngine.engine.orderService.create(body, client)));
    const refused = made.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(refused).toMatchObject(Array.from({ length: 10 }, () => ({ code: "ERR_BAD_REQUEST", httpStatus: 429 })));
  });

  it("one pair has a limit, and an expired order no longer counts", async () => {
    const parts = { database, reader: chain, wallet: chain };
    const most = Number(testEngine.catalogue.terms.fixedExposureUsd);
    const big = { ...fixed, claimedDepositAmount: String(Math.floor((most * 0.6) / 3000)) };
    await testEngine.engine.orderService.create(big, client);
    await expect(
      testEngine.engine.orderService.create(big, { ...client, key: "another client" }),
    ).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    const later = await createTestEngine({ ...parts, now: () => new Date(Date.now() + 1_300_000) });
    await later.engine.orderService.create(big, client);
  });

  const create = (usd: number, one: { key: string; network?: string }) =>
    testEngine.engine.orderService.create(
      { ...fixed, claimedDepositAmount: String(usd / 3000) },
      { traceId: "t", ...one },
    );

  it("ten of one client leave the pair its fixed rate", async () => {
    const mine = { key: "203.0.113.1" };
    const made: unknown[] = [];
    for (let n = 0; n < 10; n += 1) made.push(await create(48_000, mine).catch((error: unknown) => error));
    const refused = made.filter((one) => one instanceof CodedError);
    expect(made.length - refused.length).toBe(4);
    expect(refused).toMatchObject(refused.map(() => ({ code: "ERR_NOT_ACCEPTABLE" })));
    await testEngine.engine.orderService.create(orderBody(), { ...mine, traceId: "t" });
    await create(48_000, { key: "203.0.113.2" });
  });

  it("the addresses of one network have twice a client's share", async () => {
    const inNetwork = (n: number) => ({ key: `2001:db8:0:${n}::`, network: "2001:db8::" });
    for (let n = 0; n < 8; n += 1) await create(48_000, inNetwork(n));
    await expect(create(48_000, inNetwork(8))).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    await create(48_000, { key: "2001:db8:1:1::", network: "2001:db8:1::" });
  });

  it("large ones of many clients leave a tenth of the pair's budget to small ones", async () => {
    for (let n = 0; n < 9; n += 1) await create(48_000, { key: `203.0.113.${n}` });
    await expect(create(48_000, { key: "203.0.113.20" })).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    for (let n = 0; n < 10; n += 1) await create(4_800, { key: `198.51.100.${n}` });
    await expect(create(30_000, { key: "203.0.113.21" })).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
  });

  it("the last tenth is for clients who have no other fixed order of the pair", async () => {
    for (let n = 0; n < 9; n += 1) await create(49_000, { key: `203.0.113.${n}` });
    const greedy = { key: "198.51.100.1" };
    await create(4_800, greedy);
    await create(4_200, greedy);
    await expect(create(4_800, greedy)).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    const inNetwork = (n: number) => ({ key: `2001:db8:0:${n}::`, network: "2001:db8::" });
    await create(4_800, inNetwork(1));
    await expect(create(4_800, inNetwork(2))).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    await create(4_800, { key: "198.51.100.2" });
  });

  it("the addresses of one network have four times a client's orders", async () => {
    const inNetwork = (n: number) => ({ key: `2001:db8:0:${n}::`, network: "2001:db8::" });
    for (let n = 0; n < 200; n += 1) await create(30, inNetwork(n));
    await expect(create(30, inNetwork(201))).rejects.toMatchObject({ code: "ERR_BAD_REQUEST", httpStatus: 429 });
    await create(30, { key: "2001:db8:1:1::", network: "2001:db8:1::" });
  });
});

describe("orders that nobody pays", () => {
  const floating = (one: { key: string; network?: string }, engine = testEngine) =>
    engine.engine.orderService.create(orderBody(), { traceId: "t", ...one });

  it("are only so many for a client, and an expired one no longer counts", async () => {
    const few = { database, reader: chain, wallet: chain, unpaidOrdersPerClient: 3 };
    const limited = await createTestEngine(few);
    const mine = { key: "203.0.113.1" };
    for (let n = 0; n < 3; n += 1) await floating(mine, limited);
    await expect(floating(mine, limited)).rejects.toMatchObject({ code: "ERR_BAD_REQUEST", httpStatus: 429 });
    await floating({ key: "203.0.113.2" }, limited);
    const addresses = await database.kysely.selectFrom("deposit_addresses").select("address").execute();
    expect(addresses).toHaveLength(4);
    const later = await createTestEngine({ ...few, now: () => new Date(Date.now() + 90_000_000) });
    while (await later.engine.expireOrders());
    await floating(mine, later);
  });

  it("are four times as many for the addresses of one network", async () => {
    const limited = await createTestEngine({ database, reader: chain, wallet: chain, unpaidOrdersPerClient: 2 });
    const inNetwork = (n: number) => ({ key: `2001:db8:0:${n}::`, network: "2001:db8::" });
    for (let n = 0; n < 8; n += 1) await floating(inNetwork(n), limited);
    await expect(floating(inNetwork(8), limited)).rejects.toMatchObject({ httpStatus: 429 });
    await floating({ key: "2001:db8:1:1::", network: "2001:db8:1::" }, limited);
  });

  it("have no limit where none is set, and a burst of them is served", async () => {
    await Promise.all(Array.from({ length: 300 }, () => floating({ key: "203.0.113.1" })));
  });
});

it("an order whose work fails stops no other, and is retried", async () => {
  const ids: string[] = [];
  for (let made = 0; made < 3; made += 1)
    ids.push((await testEngine.engine.orderService.create(orderBody(), client)).orderId);
  await database.kysely
    .updateTable("orders")
    .set({ next_attempt_at: new Date(0) })
    .execute();
  const done: string[] = [];
  const work = async (id: string) => {
    if (id === ids[0]) throw new Error("this one is broken");
    done.push(id);
  };
  await runDueJobs(database, "orders", work, createLog({ level: "silent" }));
  expect(done.sort()).toEqual(ids.slice(1).sort());
  const due = await database.kysely
    .selectFrom("orders")
    .select("id")
    .where("id", "=", ids[0] ?? "")
    .where("next_attempt_at", "is not", null)
    .execute();
  expect(due).toHaveLength(1);
});

it("two workers at once never take the same order", async () => {
  for (let made = 0; made < 20; made += 1) await testEngine.engine.orderService.create(orderBody(), client);
  await database.kysely
    .updateTable("orders")
    .set({ next_attempt_at: new Date(0) })
    .execute();
  const taken: string[] = [];
  const work = async (id: string) => void taken.push(id);
  const log = createLog({ level: "silent" });
  await Promise.all(Array.from({ length: 4 }, () => runDueJobs(database, "orders", work, log)));
  expect(new Set(taken).size).toBe(20);
  expect(taken).toHaveLength(20);
});
