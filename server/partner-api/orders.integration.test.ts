import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowViolations } from "../../tests/support/checkers/row-checkers.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { partnerProgram, type PartnerProgram } from "../../tests/support/http/partner-program.ts";
import { createTestEngine, type TestEngine } from "../../tests/support/scenarios/test-engine.ts";
import { archiveOrders } from "../db/archived-orders.ts";
import { inTransaction } from "../db/transaction.ts";

const ORDERS = "/api/v2/partner/orders";
const HALF_ETH = 5n * 10n ** 17n;

let database: TestDatabase;
let app: TestApp;
let chain: FakeChain;
let testEngine: TestEngine;
let shop: PartnerProgram;
let other: PartnerProgram;
beforeAll(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  app = await testApp(database, { orderService: testEngine.engine.orderService });
  shop = await partnerProgram(app);
  other = await partnerProgram(app, "bob@mail.example");
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

type Body = Record<string, unknown>;
const orderBody = (changes: object = {}) => ({
  rateMode: "FLOATING",
  instrumentFromSlug: "eth",
  instrumentToSlug: "usdt-erc20",
  destinationAddress: "destination",
  claimedDepositAmount: "0.5",
  claimedPublicRate: { price: "2983", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1491.5" },
  ...changes,
});
let keys = 0;
const create = (changes: object = {}, sending: object = {}, by = shop) =>
  by.send("POST", ORDERS, { body: orderBody(changes), idempotencyKey: `key ${(keys += 1)}`, ...sending });
const made = async (changes: object = {}): Promise<{ orderId: string; depositAddress: string }> => {
  const { http, body } = await create(changes);
  expect({ http, body }).toMatchObject({ http: 201 });
  return body as { orderId: string; depositAddress: string };
};
const pay = async (depositAddress: string, amount = HALF_ETH) => {
  chain.deposit(depositAddress, "eth", amount);
  await mine();
};
const mine = async () => {
  for (let block = 0; block < 6; block += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
const read = async (orderId: string) => (await shop.send("GET", `${ORDERS}/${orderId}`)).body;

describe("an order of a partner", () => {
  test("is created for a customer with the markup in its price, which is the partner's once it is completed", async () => {
    const { body } = await create({ externalId: "cart 7", markupBps: 200 });
    expect(body).toMatchObject({
      state: "PENDING",
      externalId: "cart 7",
      markupBps: 200,
      pair: { instrumentTo: { assetId: expect.stringContaining("/erc20:0x") } },
      userEmail: null,
    });
    const { orderId, depositAddress } = body as { orderId: string; depositAddress: string };
    await pay(depositAddress);

    const order = await read(orderId);
    // 1,500 USD at 0.5 % of ours and 2 % of the partner's, less 1 USDT for the network.
    expect(order).toMatchObject({
      state: "COMPLETED",
      amountToGet: "1461.5",
      feesTaken: { platformFee: "37.5", networkFee: "1" },
      amountFromUsd: "1500",
      amountToUsd: "1461.5",
      claimedDepositAmountUnits: `${HALF_ETH}`,
      amountToGetUnits: "1461500000",
      withdrawals: [{ kind: "payout", txId: expect.any(String), amountUnits: "1461500000" }],
      deposits: [{ txId: expect.any(String), amount: "0.5", amountUnits: `${HALF_ETH}` }],
    });
    expect((await shop.send("GET", "/api/v2/partner/balances")).body).toMatchObject([{ balance: "30" }]);
    const { rows } = await database.pool.query<Body>("select source, order_reference from wallet_credits");
    expect(rows).toEqual([{ source: "MARKUP", order_reference: order["reference"] }]);
    expect(await rowViolations(database)).toEqual([]);
  });

  test("needs an Idempotency-Key, under which it is created once", async () => {
    const without = await shop.send("POST", ORDERS, { body: orderBody() });
    expect(without).toMatchObject({ http: 400, body: { data: { "Idempotency-Key": "is needed" } } });
    const body = orderBody({ externalId: "once" });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => shop.send("POST", ORDERS, { body, idempotencyKey: "one" })),
    );
    expect(new Set(answers.map(({ body: { orderId } }) => orderId)).size).toBe(1);
    expect(answers.every(({ http }) => http === 201)).toBe(true);
    const changed = orderBody({ externalId: "another" });
    expect(await shop.send("POST", ORDERS, { body: changed, idempotencyKey: "one" })).toMatchObject({ http: 422 });
    // However its path is written.
    const respelled = await shop.send("POST", ORDERS.replace("orders", "%6frders"), { body, idempotencyKey: "one" });
    expect(respelled).toMatchObject({ http: 201, body: { orderId: answers[0]?.body["orderId"] } });
    // A key is its account's.
    expect(await other.send("POST", ORDERS, { body, idempotencyKey: "one" })).toMatchObject({ http: 201 });
  });

  test("is created at a rate whose time is written with its offset", async () => {
    const updatedAt = new Date().toISOString().replace("Z", "000+00:00");
    const claimedPublicRate = { ...orderBody().claimedPublicRate, updatedAt };
    expect(await create({ claimedPublicRate })).toMatchObject({ http: 201 });
    const local = { ...claimedPublicRate, updatedAt: updatedAt.slice(0, -6) };
    expect(await create({ claimedPublicRate: local })).toMatchObject({
      http: 400,
      body: { data: { "claimedPublicRate.updatedAt": expect.stringContaining("with its offset") } },
    });
  });

  test("is created by a signature of version 1 too, which changes nothing else", async () => {
    const { http, body } = await create({}, { version: 1 });
    expect(http).toBe(201);
    const path = `${ORDERS}/${String(body["orderId"])}`;
    expect(await shop.send("GET", path, { version: 1 })).toMatchObject({ http: 200 });
    for (const call of ["refund", "accept"])
      expect(await shop.send("POST", `${path}/${call}`, { version: 1, body: {} })).toMatchObject({ http: 401 });
  });

  test("has an externalId of its own within its account", async () => {
    await made({ externalId: "mine" });
    expect(await create({ externalId: "mine" })).toMatchObject({
      http: 422,
      body: { data: { externalId: "is that of another order" } },
    });
    expect(await create({ externalId: "mine" }, {}, other)).toMatchObject({ http: 201 });
  });

  test("is there for its account alone", async () => {
    const { orderId } = await made();
    for (const [method, path] of [
      ["GET", `${ORDERS}/${orderId}`],
      ["POST", `${ORDERS}/${orderId}/refund`],
      ["POST", `${ORDERS}/${orderId}/accept`],
      ["GET", `${ORDERS}/${"A".repeat(22)}`],
    ] as const) {
      const answer = await other.send(method, path, method === "POST" ? { body: {} } : {});
      expect(answer).toMatchObject({ http: 404, body: { status: "ERR_NOT_FOUND_E" } });
    }
  });

  test("that is refused names every reason", async () => {
    testEngine.rates.priceClaim = async () =>
      app.rates.priceClaim({
        from: "eth",
        to: "usdt-erc20",
        rateMode: "FLOATING",
        claimedDepositAmount: 1n,
        claim: orderBody().claimedPublicRate,
      });
    try {
      expect(await create({ claimedDepositAmount: "0.000000000000000001" })).toMatchObject({
        http: 422,
        body: {
          status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
          data: {
            reasons: [{ status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", destinationAmountLimit: expect.any(String) }],
          },
        },
      });
    } finally {
      Reflect.deleteProperty(testEngine.rates, "priceClaim");
    }
  });

  test("that is refused names both wrong addresses, and why the rate can't be had, at once", async () => {
    const wrong = {
      rateMode: "FIXED",
      destinationAddress: "not an address",
      refundAddress: "",
      claimedDepositAmount: "0.000000000000000001",
    };
    expect(await create(wrong)).toMatchObject({
      http: 400,
      body: {
        status: "ERR_VALIDATION",
        data: {
          destinationAddress: "error_address_incorrect",
          refundAddress: "error_address_empty",
          reasons: [{ status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", destinationAmountLimit: expect.any(String) }],
        },
      },
    });
  });

  test("that is refused for its claim names that as the reason", async () => {
    const claim = { ...orderBody().claimedPublicRate, price: "9999", claimedAmountToReceive: "4999" };
    testEngine.rates.priceClaim = async () =>
      app.rates.priceClaim({
        from: "eth",
        to: "usdt-erc20",
        rateMode: "FLOATING",
        claimedDepositAmount: HALF_ETH,
        markupBps: 100n,
        claim,
      });
    try {
      const { http, body } = await create({ claimedPublicRate: claim });
      expect({ http, body }).toMatchObject({
        http: 422,
        body: { status: "ERR_UNPROCESSABLE_ENTITY", data: { reasons: [{ status: "ERR_UNPROCESSABLE_ENTITY" }] } },
      });
      // What is to be had instead is the rate that GET rates answers.
      const query = "instrumentFromSlug=eth&instrumentToSlug=usdt-erc20&claimedDepositAmount=0.5&markupBps=100";
      const rate = (await shop.send("GET", `/api/v2/partner/rates?${query}`)).body;
      expect((await create({ claimedPublicRate: claim, markupBps: 100 })).body["data"]).toMatchObject({ rate });
    } finally {
      Reflect.deleteProperty(testEngine.rates, "priceClaim");
    }
  });
});

describe("what a partner does for its customer", () => {
  test("can't be claimed by an account: it earns its partner's markup, and no referral or cashback beside that", async () => {
    const { orderId } = await made();
    const browser = new AccountBrowser(app);
    const ann = { email: "ann@mail.example", password: "a long enough phrase" };
    await browser.send("createLocal", ann);
    await browser.send("authenticateLocal", ann);
    const order = { orderId, destinationAddress: "destination" };
    expect(await browser.send("claimOrders", { orders: [order] })).toMatchObject({ http: 200, body: { claimed: [] } });
    expect(await database.kysely.selectFrom("orders").select("user_id").where("id", "=", orderId).execute()).toEqual([
      { user_id: null },
    ]);
  });

  test("counts for its account, and for the address that all its accounts have", async () => {
    const { http, body } = await create({}, { address: "198.51.100.9" });
    expect(http).toBe(201);
    const client = await database.kysely
      .selectFrom("orders")
      .select(["client_key", "client_network"])
      .where("id", "=", String(body["orderId"]))
      .executeTakeFirstOrThrow();
    expect(client).toEqual({ client_key: expect.stringMatching(/^partner \d+$/), client_network: "198.51.100.9" });
  });

  test("a refund goes to the address of the creation, at the network's price now", async () => {
    const { orderId, depositAddress } = await made({ refundAddress: "home" });
    expect(await shop.send("POST", `${ORDERS}/${orderId}/refund`, { body: {} })).toMatchObject({ http: 422 });
    chain.deposit(depositAddress, "eth", HALF_ETH);
    chain.mine();
    await testEngine.settle();
    const { http, body } = await shop.send("POST", `${ORDERS}/${orderId}/refund`, { body: {}, idempotencyKey: "back" });
    expect({ http, body }).toMatchObject({ http: 200, body: { state: "PROCESSING", refundAddress: "home" } });
    await mine();
    expect(await read(orderId)).toMatchObject({
      state: "REFUNDED",
      withdrawals: [{ kind: "refund" }],
      amountToUsd: null,
    });
  });

  test("an offer is accepted once a fixed rate has ended", async () => {
    const fixed = { rateMode: "FIXED", refundAddress: "home", markupBps: 100 };
    const { orderId, depositAddress } = await made(fixed);
    await pay(depositAddress, HALF_ETH / 2n);
    const waiting = await read(orderId);
    expect(waiting).toMatchObject({
      state: "INFO_NEEDED",
      offer: { amountToGet: expect.any(String), amountToGetUnits: expect.stringMatching(/^\d+$/) },
    });
    const accepted = await shop.send("POST", `${ORDERS}/${orderId}/accept`, { body: {} });
    expect(accepted).toMatchObject({ http: 200, body: { state: "PROCESSING" } });
    await mine();
    expect(await read(orderId)).toMatchObject({
      state: "COMPLETED",
      // 750 USD at 0.5 % and 1 %, less 1 USDT: the floating rate has the markup too.
      feesTaken: { platformFee: "11.25" },
    });
  });
});

describe("an offer that is accepted after the market has fallen", () => {
  test("is refused with another one, which is the order's as every answer shows it", async () => {
    const { orderId, depositAddress } = await made({ rateMode: "FIXED", refundAddress: "home" });
    await pay(depositAddress, HALF_ETH / 2n);
    const before = testEngine.rates.prices.get("eth") ?? 0n;
    testEngine.rates.prices.set("eth", before / 2n);
    try {
      const { http, body } = await shop.send("POST", `${ORDERS}/${orderId}/accept`, { body: {} });
      expect({ http, body }).toMatchObject({
        http: 422,
        body: { status: "ERR_UNPROCESSABLE_ENTITY", data: { offer: { amountToGetUnits: expect.any(String) } } },
      });
      expect(body["data"]).toEqual({ offer: (await read(orderId))["offer"] });
    } finally {
      testEngine.rates.prices.set("eth", before);
    }
  });
});

describe("the list of a partner's orders", () => {
  const list = async (query: Record<string, string> = {}, by = reporter) => {
    const text = new URLSearchParams(query).toString();
    const { http, body } = await by.send("GET", text === "" ? ORDERS : `${ORDERS}?${text}`);
    expect({ http, body }).toMatchObject({ http: 200 });
    const { items, nextCursor } = body as { items: { orderId: string }[]; nextCursor: string | null };
    return { ids: items.map(({ orderId }) => orderId), nextCursor };
  };
  let reporter: PartnerProgram;
  beforeAll(async () => {
    reporter = await partnerProgram(app, "cat@mail.example");
  });

  test("has a cursor that new orders don't move, and finds by time, state and externalId, in the archive too", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift(String((await create({ externalId: `n${n}` }, {}, reporter)).body["orderId"]));
    const first = await list({ limit: "2" });
    expect(first.ids).toEqual(ids.slice(0, 2));
    const newest = String((await create({}, {}, reporter)).body["orderId"]);
    const second = await list({ limit: "2", cursor: first.nextCursor ?? "" });
    expect(second.ids).toEqual(ids.slice(2, 4));
    expect(await list({ limit: "2", cursor: second.nextCursor ?? "" })).toEqual({
      ids: ids.slice(4),
      nextCursor: null,
    });
    expect((await list()).ids).toEqual([newest, ...ids]);
    expect(await list({}, other)).not.toMatchObject({ ids: expect.arrayContaining(ids) });

    expect((await list({ externalId: "n3" })).ids).toEqual([ids[1]]);
    expect((await list({ state: "COMPLETED" })).ids).toEqual([]);
    await database.pool.query(
      `update orders set state = 'expired', snapshot = jsonb_set(snapshot, '{kind}', '"expired"'), next_attempt_at = null where id = $1`,
      [ids[2]],
    );
    expect((await list({ state: "EXPIRED" })).ids).toEqual([ids[2]]);
    await inTransaction(database, (transaction) => archiveOrders(transaction, [ids[2] ?? ""]));
    expect((await list({ state: "EXPIRED" })).ids).toEqual([ids[2]]);
    expect((await list({ state: "PENDING" })).ids).toHaveLength(5);
    const from = new Date(Date.now() + 60_000).toISOString();
    expect((await list({ from })).ids).toEqual([]);
    expect((await list({ to: from })).ids).toHaveLength(6);
  });

  test("takes times with any offset, and days of UTC of which the last one is included", async () => {
    const dayMs = 86_400_000;
    const dayAfter = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
    const { ids } = await list();
    const inIndia = (ms: number) => new Date(ms + 19_800_000).toISOString().replace("Z", "+05:30");
    for (const [query, expected] of [
      [{ from: dayAfter(-1), to: dayAfter(1) }, ids],
      [{ to: dayAfter(-2) }, []],
      [{ from: dayAfter(1) }, []],
      [{ from: inIndia(Date.now() - 3_600_000), to: inIndia(Date.now() + 3_600_000) }, ids],
      [{ from: inIndia(Date.now() + 3_600_000) }, []],
      [{ from: new Date(0).toISOString().replace("Z", "000+00:00") }, ids],
    ] as const)
      expect([query, (await list(query)).ids]).toEqual([query, expected]);
    await database.pool.query("update partner_orders set created_at = '2024-02-29T23:59:59.999Z' where order_id = $1", [
      ids[0],
    ]);
    expect((await list({ from: "2024-02-29", to: "2024-02-29" })).ids).toEqual(ids.slice(0, 1));
    expect((await list({ to: "2024-02-28" })).ids).toEqual([]);
    for (const from of ["yesterday", "2026-11-21T12:00:00", "2026-11-21T12:00:00 00:00", "2026-02-30", "0000-01-01"])
      expect([from, await reporter.send("GET", `${ORDERS}?${new URLSearchParams({ from }).toString()}`)]).toMatchObject(
        [from, { http: 400, body: { status: "ERR_VALIDATION", data: { from: expect.stringMatching(/day|year/) } } }],
      );
  });

  test("discloses by its cursor nothing of how many orders all partners make", async () => {
    const rowNumbers = await database.kysely.selectFrom("partner_orders").select("n").execute();
    const { nextCursor } = await list({ limit: "1" });
    const decoded = Buffer.from(nextCursor ?? "", "base64url");
    for (const { n } of rowNumbers) expect(decoded.toString()).not.toBe(`${n}`);
    expect(nextCursor).toMatch(/^[\w-]{22}$/);
    const { nextCursor: again } = await list({ limit: "1" });
    expect(again).toBe(nextCursor);
    // What it was made of is no cursor either, and nor is another account's.
    for (const cursor of [Buffer.from(`${rowNumbers.at(-1)?.n}`).toString("base64url"), nextCursor ?? ""])
      expect(await other.send("GET", `${ORDERS}?cursor=${cursor}`)).toMatchObject({
        http: 400,
        body: { status: "ERR_VALIDATION", data: { cursor: "is none of this list: begin again without it" } },
      });
  });

  test("refuses a cursor that it never gave", async () => {
    for (const cursor of ["AAAA", "LTE", "MDA", "MQ", "A".repeat(22), `${"A".repeat(21)}B`])
      expect(await reporter.send("GET", `${ORDERS}?cursor=${cursor}`)).toMatchObject({
        http: 400,
        body: { data: { cursor: expect.any(String) } },
      });
  });
});
