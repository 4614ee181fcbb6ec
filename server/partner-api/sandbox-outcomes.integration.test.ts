import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { rowViolations } from "../../tests/support/checkers/row-checkers.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { partnerProgram, type PartnerProgram } from "../../tests/support/http/partner-program.ts";
import { createTestEngine, type TestEngine } from "../../tests/support/scenarios/test-engine.ts";
import { createRefusingPartner } from "../liquidity/index.ts";
import { REHEARSAL_PARTNER } from "../orders/port.ts";

const ORDERS = "/api/v2/partner/orders";

let database: TestDatabase;
let app: TestApp;
let chain: FakeChain;
let testEngine: TestEngine;
let shop: PartnerProgram;
let now: number;
beforeAll(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  const partners = new Map([[REHEARSAL_PARTNER, createRefusingPartner(REHEARSAL_PARTNER)]]);
  now = Date.now();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, partners, now: () => new Date(now) });
  testEngine.rates.min = 10n ** 17n;
  app = await testApp(database, { orderService: testEngine.engine.orderService, config: { sandbox: true } });
  shop = await partnerProgram(app);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => {
  refusals = 0;
});

let refusals: number;
let keys = 0;
const create = (sandboxOutcome: string, changes: object = {}, by = shop) =>
  by.send("POST", ORDERS, {
    idempotencyKey: `key ${(keys += 1)}`,
    body: {
      rateMode: "FIXED",
      refundAddress: "home",
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      destinationAddress: "destination",
      claimedDepositAmount: "0.5",
      claimedPublicRate: { price: "2983", updatedAt: new Date(now).toISOString(), claimedAmountToReceive: "1491.5" },
      sandboxOutcome,
      ...changes,
    },
  });
const made = async (sandboxOutcome: string, changes: object = {}): Promise<string> => {
  const { http, body } = await create(sandboxOutcome, changes);
  expect({ http, body }).toMatchObject({ http: 201, body: { state: "PENDING" } });
  return String(body["orderId"]);
};
/** The sandbox pays, blocks come, and the engine goes on until nothing is due. */
const play = async () => {
  for (let block = 0; block < 8; block += 1) {
    await testEngine.engine.playRehearsals(async ({ address, slug, amount }) => {
      if (refusals > 0) throw new Error(`the network refuses ${(refusals -= 1)}`);
      chain.deposit(address, slug, amount);
    });
    chain.mine();
    await testEngine.settle();
  }
};
const read = async (orderId: string) => (await shop.send("GET", `${ORDERS}/${orderId}`)).body;
const kindsOf = ({ orderEvents }: Record<string, unknown>) =>
  (orderEvents as { kind: string }[]).map(({ kind }) => kind).reverse();
const accept = (orderId: string) => shop.send("POST", `${ORDERS}/${orderId}/accept`, { body: {} });

describe("an order with a sandbox outcome", () => {
  test("slow: its deposit comes after the rate's time, and the offer can be accepted", async () => {
    const orderId = await made("slow");
    await play();
    expect(await read(orderId)).toMatchObject({ state: "PENDING", deposits: [] });
    now += 3_600_000;
    await play();
    const slow = await read(orderId);
    expect(slow).toMatchObject({ state: "INFO_NEEDED", offer: { amountToGet: expect.any(String) } });
    expect(kindsOf(slow)).toContain("FIXED_RATE_SLOW_DEPOSIT_DETECTED");
    expect(await accept(orderId)).toMatchObject({ http: 200 });
    await play();
    expect(await read(orderId)).toMatchObject({ state: "COMPLETED" });
  });

  test("wrong-amount: another sum comes, and the deposit can be refunded", async () => {
    const orderId = await made("wrong-amount");
    await play();
    const wrong = await read(orderId);
    expect(wrong).toMatchObject({ state: "INFO_NEEDED", deposits: [{ amount: "0.45" }] });
    expect(kindsOf(wrong)).toContain("FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED");
    expect(await shop.send("POST", `${ORDERS}/${orderId}/refund`, { body: {} })).toMatchObject({ http: 200 });
    await play();
    expect(await read(orderId)).toMatchObject({ state: "REFUNDED" });
  });

  test("volatility: the market has fallen, for this order alone, and its offer is worth less", async () => {
    const [orderId, ordinary] = [await made("volatility"), await made("slow", { sandboxOutcome: null })];
    const { depositAddress } = await read(ordinary);
    chain.deposit(String(depositAddress), "eth", 5n * 10n ** 17n);
    await play();
    const volatile = await read(orderId);
    expect(volatile).toMatchObject({ state: "INFO_NEEDED", deposits: [{ amount: "0.5" }] });
    expect(kindsOf(volatile)).toContain("FIXED_RATE_HIGH_VOLATILITY_DETECTED");
    const { amountToGet } = volatile["offer"] as { amountToGet: string };
    expect(Number(amountToGet)).toBeLessThan(1491.5 * 0.98);
    expect(await read(ordinary)).toMatchObject({ state: "COMPLETED" });
    expect(await accept(orderId)).toMatchObject({ http: 200 });
    await play();
    expect(await read(orderId)).toMatchObject({ state: "COMPLETED", amountToGet });
  });

  test("partner-fails: another provider fills the order", async () => {
    const orderId = await made("partner-fails", { rateMode: "FLOATING" });
    await play();
    expect(await read(orderId)).toMatchObject({ state: "COMPLETED", withdrawals: [{ kind: "payout" }] });
    const { rows } = await database.pool.query(
      `select kind from order_events where order_id = $1 and kind like 'PROVIDER%' order by seq`,
      [orderId],
    );
    expect(rows).toEqual([{ kind: "PROVIDER_FAILED" }, { kind: "PROVIDER_CHANGED" }]);
  });

  test.each(["FLOATING", "FIXED"])("refund: too little comes, and a %s order goes back", async (rateMode) => {
    const orderId = await made("refund", { rateMode });
    await play();
    // Whoever asks every few seconds sees that it waits.
    now += 14_000;
    await play();
    expect(await read(orderId)).toMatchObject({ state: "INFO_NEEDED" });
    now += 1_000;
    await play();
    const back = await read(orderId);
    expect(back).toMatchObject({ state: "REFUNDED", withdrawals: [{ kind: "refund" }], refundAddress: "home" });
    expect(kindsOf(back)).toContain("REFUND_REQUESTED");
  });

  test("is paid once, also where the network refused the first payment", async () => {
    const orderId = await made("wrong-amount");
    refusals = 2;
    await play();
    await play();
    expect((await read(orderId))["deposits"]).toHaveLength(1);
    expect(await rowViolations(database)).toEqual([]);
    const { rows } = await database.pool.query("select order_id from rehearsals where ended_at is null");
    expect(rows).toEqual([]);
  });

  test("is refused where it can't go so, and where this is no sandbox", async () => {
    const before = await database.pool.query("select id from orders");
    expect(await create("slow", { rateMode: "FLOATING" })).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION", data: { rateMode: "must be FIXED for slow" } },
    });
    expect(await create("explosion")).toMatchObject({ http: 400 });
    await using live = await testApp(database, { orderService: testEngine.engine.orderService });
    const program = await partnerProgram(live, "bob@mail.example");
    expect(await create("slow", {}, program)).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION", data: { sandboxOutcome: expect.stringContaining("sandbox") } },
    });
    expect(await database.pool.query("select id from orders")).toMatchObject({ rowCount: before.rowCount });
  });
});
