import { arrivalTimesOf } from "../../tests/support/orders/arrival-times.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import {
  closedOrderService,
  PUBLIC_URL,
  testApp,
  TestMarket,
  type TestApp,
} from "../../tests/support/http/http-app.ts";
import { loadCatalogue } from "../catalogue/index.ts";
import { openClock } from "../db/clock.ts";
import { createPriceSnapshots } from "../rates/snapshots/price-snapshot.ts";
import { createPricePublisher } from "../rates/snapshots/price-publisher.ts";
import { createMarketOverrides } from "../rates/market/overrides.ts";
import { createMarketPrices } from "../rates/market/prices.ts";
import { createRates } from "../rates/rate-service.ts";
import { creditAccount } from "../earnings/index.ts";
import { openSandboxAccess } from "./access.ts";
import type { SandboxNetwork } from "./port.ts";

const ORDER = "A".repeat(22);

const letter = {
  to: "ann@example.com",
  subject: "Заявка",
  text: "Привет",
  html: "<p>Привет</p>",
  locale: "ru",
  orderId: ORDER,
  at: "2026-11-21T12:00:00.000Z",
};

let database: TestDatabase;
let app: TestApp;
/** What the sandbox did to its network. */
let did: unknown[] = [];

const network: SandboxNetwork = {
  networkTitle: "ETH",
  pay: async (payment) => {
    did.push(payment);
    return { txId: "0xpaid" };
  },
  mine: async (blocks) => void did.push({ mine: blocks }),
  setPaused: async (paused) => void did.push({ paused }),
  reorg: async (depth) => void did.push({ reorg: depth }),
  setFees: async (fees) => void did.push({ fees }),
  height: async () => 7,
};

beforeAll(async () => {
  database = await freshDatabase();
  const catalogue = await loadCatalogue();
  const clock = await openClock(database, database.log);
  const priceSnapshots = createPriceSnapshots(database);
  const overrides = createMarketOverrides(database);
  const { fees } = new TestMarket().publish();
  const feed = {
    name: "still",
    refreshMs: 0,
    validMs: 1_000_000,
    read: async () =>
      new Map([...new TestMarket().publish().prices].map(([slug, usd]) => [slug, { usd, takenAt: new Date() }])),
  };
  const maker = createPricePublisher({
    priceSnapshots,
    market: createMarketPrices({ feeds: [feed], overrides, log: database.log }),
    fees: { take: async () => fees, remember: () => undefined },
    clock,
    log: database.log,
  });
  await maker.make();
  const orderService = closedOrderService({
    depositTarget: async (id) =>
      id === ORDER
        ? { networkTitle: "ETH", slug: "usdt-erc20", address: "0xdeposit", memo: null, amount: 1_500_000n }
        : null,
  });
  app = await testApp(database, {
    catalogue,
    orderService,
    rates: createRates({
      catalogue,
      priceSnapshots,
      clock,
      networks: { isUp: () => true },
      arrivalTimes: arrivalTimesOf(catalogue),
    }),
    config: { sandbox: true, rateLimits: { reads: 10_000, writes: 1, signIns: 1 } },
    sandbox: {
      access: await openSandboxAccess(database, PUBLIC_URL),
      orderService,
      catalogue,
      clock,
      networks: new Map([["ETH", network]]),
      setPrice: (slug, price) => overrides.set(slug, price, clock.now()),
      takePrices: () => maker.make(),
      credit: (userId, slug, amount) => creditAccount(database, { userId, slug, amount, at: clock.now() }),
      mail: async () => [letter],
      card: null,
    },
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => {
  did = [];
});

const post = async (path: string, payload: object, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ method: "POST", url: `/sandbox/${path}`, payload, headers });
  return { code: answer.statusCode, body: answer.json<Record<string, unknown>>() };
};
const rate = async () => {
  const query = {
    instrumentFromSlug: "eth",
    instrumentToSlug: "usdt-erc20",
    claimedDepositAmount: "1",
    rateMode: "FIXED",
  };
  return (await app.inject({ url: calls.rate.path, query })).json<Record<string, string>>();
};

describe("pay", () => {
  it("pays what the order asks for, and returns its transaction id", async () => {
    const answer = await post("pay", { orderId: ORDER });
    expect(answer).toEqual({
      code: 200,
      body: { orderId: ORDER, txId: "0xpaid", amount: "1.5", instrument: "usdt-erc20" },
    });
    expect(did).toEqual([{ address: "0xdeposit", memo: null, slug: "usdt-erc20", amount: 1_500_000n }]);
  });

  it("pays any other amount that the instrument can have", async () => {
    expect((await post("pay", { orderId: ORDER, amount: "0.000001" })).body).toMatchObject({ amount: "0.000001" });
    expect(did).toMatchObject([{ amount: 1n }]);
    expect((await post("pay", { orderId: ORDER, amount: "0.0000001" })).body).toMatchObject({
      status: "ERR_VALIDATION",
    });
    expect((await post("pay", { orderId: ORDER, amount: "0" })).body).toMatchObject({ status: "ERR_VALIDATION" });
    expect(did).toHaveLength(1);
  });

  it("knows no other order", async () => {
    expect(await post("pay", { orderId: "B".repeat(22) })).toMatchObject({
      code: 404,
      body: { status: "ERR_NOT_FOUND" },
    });
  });
});

describe("credit", () => {
  it("puts an amount into an account's wallet, and knows no other account", async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      "insert into users (telegram_id) values (77) returning id::int",
    );
    const userId = Number(rows[0]?.id);
    const credited = { userId, amount: "12.5", instrument: "usdt-trc20" };
    expect(await post("credit", { userId, amount: "12.5" })).toEqual({
      code: 200,
      body: { ...credited, balance: "12.5" },
    });
    expect(await post("credit", { userId, amount: "12.5" })).toMatchObject({ body: { balance: "25" } });
    expect(await post("credit", { userId: userId + 1, amount: "1" })).toMatchObject({ code: 404 });
    expect(await post("credit", { userId, amount: "0" })).toMatchObject({ code: 400 });
  });

  it("takes amounts under a trillion, so that no sum is too large to be counted", async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      "insert into users (telegram_id) values (78) returning id::int",
    );
    const userId = Number(rows[0]?.id);
    expect(await post("credit", { userId, amount: "999999999999.999999" })).toMatchObject({ code: 200 });
    for (const amount of ["1000000000000", "9".repeat(80)]) {
      const refused = { code: 400, body: { status: "ERR_VALIDATION" } };
      expect(await post("credit", { userId, amount })).toMatchObject(refused);
      expect(await post("pay", { orderId: ORDER, amount })).toMatchObject(refused);
      expect(await post("market", { slug: "btc", price: amount })).toMatchObject(refused);
    }
  });
});

describe("mail", () => {
  it("lists what was mailed, and is unknown without the sandbox", async () => {
    expect((await app.inject({ url: "/sandbox/mail" })).json()).toEqual([letter]);
    await using other = await testApp(database);
    const answer = await other.inject({ url: "/sandbox/mail" });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ status: "ERR_NOT_FOUND" });
  });
});

describe("market", () => {
  it("sets a price at once, which stays and skips the guard against jumps", async () => {
    expect(await post("market", { slug: "eth", price: "9000.5" })).toEqual({
      code: 200,
      body: { slug: "eth", price: "9000.5" },
    });
    expect(await rate()).toMatchObject({ marketLeftPrice: "9000.5" });
    await post("clock", { advanceSeconds: 3_600 });
    expect(await rate()).toMatchObject({ marketLeftPrice: "9000.5" });
    await post("market", { slug: "eth", price: "3000" });
    expect(await rate()).toMatchObject({ marketLeftPrice: "3000" });
  });

  it("of zero stops quoting", async () => {
    expect((await post("market", { slug: "eth", price: "0" })).code).toBe(200);
    expect(await rate()).toMatchObject({ status: "ERR_SERVICE_UNAVAILABLE" });
    await post("market", { slug: "eth", price: "3000" });
    expect(await rate()).toMatchObject({ price: "2954.7" });
  });

  it.each([
    [{ slug: "nocoin", price: "1" }, "slug"],
    [{ slug: "eth", price: "-1" }, "price"],
    [{ slug: "eth", price: "1.0000000000000000001" }, "price"],
    [{ slug: "eth" }, "price"],
  ])("refuses %j", async (body, field) => {
    expect(await post("market", body)).toMatchObject({
      code: 400,
      body: { status: "ERR_VALIDATION", data: { [field]: expect.any(String) } },
    });
  });
});

describe("clock", () => {
  it("moves business time, and prices are read again at once", async () => {
    const before = await rate();
    const { body } = await post("clock", { advanceSeconds: 600 });
    const now = Date.parse(String(body["now"]));
    expect(Math.abs(now - Date.now() - Number(body["offsetSeconds"]) * 1000)).toBeLessThan(2_000);
    const after = await rate();
    expect(Date.parse(String(after["updatedAt"])) - Date.parse(String(before["updatedAt"]))).toBeGreaterThanOrEqual(
      600_000,
    );
    expect(Date.parse(String(after["validUntil"])) - now).toBeGreaterThan(55_000);
  });

  it("never goes back", async () => {
    expect((await post("clock", { advanceSeconds: -1 })).body).toMatchObject({ status: "ERR_VALIDATION" });
    expect((await post("clock", { advanceSeconds: 0.5 })).body).toMatchObject({ status: "ERR_VALIDATION" });
  });
});

describe("networks", () => {
  it.each([
    [{ mine: 3 }, "mined 3"],
    [{ paused: true }, "paused"],
    [{ paused: false }, "resumed"],
    [{ reorg: 2 }, "replaced 2"],
    [{ fees: 400 }, "fees at 400 %"],
  ])("do %j", async (body, said) => {
    expect(await post("networks/ETH", body)).toEqual({
      code: 200,
      body: { networkTitle: "ETH", did: said, height: 7 },
    });
    expect(did).toEqual([body]);
  });

  it("take one command at a time, and only known ones", async () => {
    for (const body of [{}, { mine: 0 }, { mine: "1" }, { mine: 1, reorg: 1 }, { fees: 0 }, { halt: true }])
      expect((await post("networks/ETH", body)).body).toMatchObject({ status: "ERR_VALIDATION" });
    expect(await post("networks/BTC", { mine: 1 })).toMatchObject({ code: 404, body: { status: "ERR_NOT_FOUND" } });
    expect(did).toEqual([]);
  });
});

describe("the sandbox", () => {
  it("has a page with forms for the same, with no script but its own", async () => {
    const { body, headers, statusCode } = await app.inject("/sandbox");
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const nonce = /<script nonce="([^"]+)" data-token/.exec(body)?.[1];
    expect(headers["content-security-policy"]).toContain(`script-src 'nonce-${nonce}';`);
    for (const call of ["pay", "market", "clock", "mine", "reorg", "paused"])
      expect(body).toContain(`data-call="${call}"`);
  });

  it("is not counted against an address, and is closed to other sites", async () => {
    for (let n = 0; n < 5; n += 1) expect((await post("networks/ETH", { mine: 1 })).code).toBe(200);
    expect((await post("networks/ETH", { mine: 1 }, { origin: "https://evil.test" })).code).toBe(403);
  });
});

describe("who may play", () => {
  type Caller = { headers?: Record<string, string>; remoteAddress?: string };
  const pays = async ({ headers = {}, remoteAddress = "127.0.0.1" }: Caller) => {
    const given = { method: "POST", url: "/sandbox/pay", payload: { orderId: ORDER } } as const;
    return (await app.inject({ ...given, headers, remoteAddress })).statusCode;
  };
  const tokenOn = async ({ headers = { host: "localhost:3000" }, remoteAddress = "127.0.0.1" }: Caller) => {
    const page = await app.inject({ url: "/sandbox", headers, remoteAddress });
    return /data-token="([0-9a-f]*)"/.exec(page.body)?.[1] ?? "no page";
  };
  const own = { origin: PUBLIC_URL, "sec-fetch-site": "same-origin" };

  it.each<[string, Caller]>([
    ["a program on this machine", {}],
    ["a program on this machine over IPv6", { remoteAddress: "::1" }],
    ["a program on this machine over mapped IPv6", { remoteAddress: "::ffff:127.0.0.1" }],
  ])("%s may", async (_who, caller) => expect(await pays(caller)).toBe(200));

  it.each<[string, Caller]>([
    ["a program elsewhere", { remoteAddress: "203.0.113.7" }],
    ["another site", { headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" } }],
    ["another site of the same host", { headers: { origin: PUBLIC_URL, "sec-fetch-site": "same-site" } }],
    ["our page without its token", { headers: own }],
    ["our page with another token", { headers: { ...own, "x-sandbox-token": "0".repeat(48) } }],
    ["the visitor of a proxy", { headers: { "x-forwarded-for": "203.0.113.7" } }],
    ["the visitor of another proxy", { headers: { forwarded: "for=203.0.113.7" } }],
    ...[
      "x-envoy-external-address",
      "x-azure-clientip",
      "fastly-client-ip",
      "x-forwarded",
      "x-arr-log-id",
      "cdn-loop",
      "x-amzn-trace-id",
      "fly-region",
      "ali-cdn-real-ip",
      "x-proxyuser-ip",
      "akamai-origin-hop",
    ].map((name): [string, Caller] => [
      `the visitor of a proxy that sends ${name}`,
      { headers: { [name]: "203.0.113.7" } },
    ]),
    ["a page under a name that was made to lead here", { headers: { host: "evil.test:3000" } }],
    ["the visitor of a tunnel", { headers: { "cf-connecting-ip": "203.0.113.7" } }],
  ])("%s may not", async (_who, caller) => {
    expect(await pays(caller)).toBe(403);
    expect(did).toEqual([]);
  });

  it("our page may, with the token that stands in it", async () => {
    const token = await tokenOn({});
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(await pays({ headers: { ...own, "x-sandbox-token": token } })).toBe(200);
    expect(await pays({ headers: { ...own, "sec-fetch-site": "cross-site", "x-sandbox-token": token } })).toBe(403);
  });

  it.each<[string, Caller]>([
    ["elsewhere", { remoteAddress: "203.0.113.7" }],
    ["behind a proxy", { headers: { host: "localhost:3000", "x-forwarded-host": "wherry.test" } }],
    ["under a name that was made to lead here", { headers: { host: "evil.test:3000" } }],
  ])("a page that is read %s has no token", async (_where, caller) => expect(await tokenOn(caller)).toBe(""));

  it("mail is for those who may play", async () => {
    const mail = (headers: Record<string, string>) => app.inject({ url: "/sandbox/mail", headers });
    expect((await mail({ "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
    expect((await mail({ "sec-fetch-site": "same-origin" })).statusCode).toBe(403);
    expect((await mail({ "sec-fetch-site": "same-origin", "x-sandbox-token": await tokenOn({}) })).json()).toEqual([
      letter,
    ]);
  });
});
