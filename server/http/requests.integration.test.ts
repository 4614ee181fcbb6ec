import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { calls } from "#contract/calls.ts";
import { CodedError, failureSchema } from "#contract/errors.ts";
import type { CoinOrder } from "#contract/order.ts";
import { CommitUnknownError } from "../db/transaction.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { closedOrderService, orderBody, testApp, type TestApp } from "../../tests/support/http/http-app.ts";

let database: TestDatabase;
let app: TestApp;
/** What the order service was asked to create. */
let created: unknown[] = [];

const databaseError = (code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, "error"), { code });

/** An order service that accepts everything: only parsing protects it. */
const carelessOrderService = closedOrderService({
  create: async (body) => {
    created.push(body);
    return { orderId: "not an order" } as unknown as CoinOrder;
  },
  refundInfo: async (orderId) => {
    const failures: Record<string, Error> = {
      coded: new CodedError("ERR_NOT_FOUND_E", "There is no such order"),
      down: Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" }),
      unknown: new CommitUnknownError("the reply to COMMIT was lost"),
      locked: databaseError("55P03", "canceling statement due to lock timeout"),
      slow: databaseError("57014", "canceling statement due to statement timeout"),
      deadlocked: databaseError("40P01", "deadlock detected"),
    };
    throw failures[orderId] ?? new TypeError("select password from users where id = 7");
  },
});

beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database, { orderService: carelessOrderService });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const failureOf = (body: string) => z.parse(failureSchema, JSON.parse(body));
const post = (url: string, payload: string | object, headers: Record<string, string> = {}) =>
  app.inject({ method: "POST", url, payload, headers: { "content-type": "application/json", ...headers } });
const create = (body: unknown) => post(calls.createOrder.path, JSON.stringify(body));
const rate = (claimedDepositAmount: string) =>
  app.inject({
    url: calls.rate.path,
    query: { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount },
  });

/** Security reference S54: none of these is an amount, and none may be rounded into one. */
const NO_AMOUNTS = [
  "-1",
  "0",
  "-0",
  "1e-7",
  "1e400",
  "NaN",
  "Infinity",
  "0x10",
  "",
  " 5 ",
  "1,5",
  "1.2.3",
  "٣",
  "1_000",
];
const UNWRITABLE = ["0.1234567890123456789", `1${"0".repeat(400)}`, "+1", "1.", ".5", "01", "1\u00005", "5\n"];

describe("amounts", () => {
  it.each([...NO_AMOUNTS, ...UNWRITABLE])(
    "%j is refused by rate and by create, and the order service is not called",
    async (amount) => {
      created = [];
      for (const answer of [await rate(amount), await create(orderBody({ claimedDepositAmount: amount }))]) {
        expect(answer.statusCode).toBe(400);
        expect(failureOf(answer.body)).toMatchObject({
          status: "ERR_VALIDATION",
          data: { claimedDepositAmount: expect.any(String) },
        });
      }
      expect(created).toEqual([]);
    },
  );

  it.each(["true", "[1]", '{"a":1}', "1", "1e400", "null"])("%s is no amount in a body", async (amount) => {
    created = [];
    const body = JSON.stringify({ ...orderBody(), claimedDepositAmount: "AMOUNT" }).replace('"AMOUNT"', amount);
    const answer = await post(calls.createOrder.path, body);
    expect(answer.statusCode).toBe(400);
    expect(failureOf(answer.body).data).toHaveProperty("claimedDepositAmount");
    expect(created).toEqual([]);
  });

  it("with more digits than a double is exact to its last digit", async () => {
    const answer = await rate("9007199254740993");
    expect(answer.statusCode).toBe(422);
    created = [];
    await create(orderBody({ claimedDepositAmount: "1.000000000000000001" }));
    expect(created).toMatchObject([{ claimedDepositAmount: "1.000000000000000001" }]);
  });
});

describe("a request", () => {
  it("names every wrong field by its dotted path", async () => {
    const body = { ...orderBody(), rateMode: "SOON", instrumentTo: { slug: "Usdt" }, userEmail: "nobody" };
    const { data } = failureOf((await create(body)).body);
    expect(Object.keys(data ?? {}).sort()).toEqual([
      "instrumentTo.currencyTitle",
      "instrumentTo.networkTitle",
      "instrumentTo.slug",
      "rateMode",
      "userEmail",
    ]);
  });

  it("names a missing body", async () => {
    expect(failureOf((await app.inject(calls.rate.path)).body).data).toHaveProperty("instrumentFromSlug");
    expect(failureOf((await post(calls.createOrder.path, "[]")).body).data).toHaveProperty("body");
  });

  it("may contain unknown fields", async () => {
    created = [];
    await create({ ...orderBody(), amountToGet: "1000000", platformFee_Absolute: "0" });
    expect(created).toHaveLength(1);
    expect(created[0]).not.toHaveProperty("amountToGet");
  });

  it.each([
    ["two of one parameter", "orderId=a&orderId=b&destinationAddress=c", "orderId"],
    ["a list for a text", "orderId[]=a&destinationAddress=c", "orderId"],
    ["a NUL", "orderId=a%00&destinationAddress=c", "orderId"],
  ])("is refused with %s", async (_name, query, field) => {
    const answer = await app.inject(`${calls.orderInfo.path}?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(failureOf(answer.body).data).toHaveProperty(field);
  });

  it.each([
    ["a NUL", { a: "\0" }],
    ["half a character", { a: "\ud800" }],
    ["a NUL in a name", { "a\0": 1 }],
  ])("is refused with %s where anything may stand", async (_name, utmData) => {
    created = [];
    const answer = await create({ ...orderBody(), utmData });
    expect(failureOf(answer.body).status).toBe("ERR_VALIDATION");
    expect(created).toEqual([]);
  });

  it("keeps of utmData what the UTM record has, and nothing else", async () => {
    created = [];
    const record = {
      timestamp: 1,
      utmParams: { source: "list", campaign: null },
      additionalInfo: { landingUrl: "/" },
      gclid: "g",
    };
    await create({
      ...orderBody(),
      utmData: { ...record, note: "x".repeat(5_000), utmParams: { ...record.utmParams, email: "a@b.test" } },
    });
    expect(created).toMatchObject([{ utmData: record }]);
    expect(JSON.stringify(created)).not.toMatch(/xxx|a@b\.test/);
  });

  it.each([
    ["utmData", "a text that is too long", { utmData: { gclid: "g".repeat(513) } }],
    [
      "utmData",
      "more than 2 KB",
      {
        utmData: Object.fromEntries(["sessionId", "gclid", "gad_source"].map((name) => [name, "é".repeat(400)])),
      },
    ],
    ["utmData", "a list", { utmData: ["list"] }],
    ["browserFingerprint", "more than 256 characters", { browserFingerprint: "b".repeat(257) }],
  ])("is refused where %s is %s", async (field, _what, changes) => {
    created = [];
    const answer = await create({ ...orderBody(), ...changes });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(failureOf(answer.body).data ?? {}).join()).toMatch(new RegExp(`^${field}(\\.|$)`));
    expect(created).toEqual([]);
  });

  it("is refused with nesting without end where anything may stand", async () => {
    created = [];
    const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const answer = await post(
      calls.createOrder.path,
      JSON.stringify({ ...orderBody(), utmData: "deep" }).replace('"deep"', deep),
    );
    expect(failureOf(answer.body).status).toBe("ERR_VALIDATION");
    expect(created).toEqual([]);
  });

  it.each([
    ["no JSON", "{", 400],
    ["nothing", "", 400],
    ["a key that stands twice", '{"currencyTitle":"ETH","networkTitle":"ETH","address":"0x1","address":"0x2"}', 400],
    ["a prototype", '{"__proto__":{"a":1}}', 400],
    ["a constructor", '{"constructor":{"prototype":{"a":1}}}', 400],
    ["brackets without end", "[".repeat(60_000), 400],
    ["2 MB", JSON.stringify({ a: "x".repeat(2_000_000) }), 413],
  ])("is refused as unreadable when it is %s", async (_name, payload, status) => {
    const answer = await post(calls.createOrder.path, payload);
    expect(answer.statusCode).toBe(status);
    expect(failureOf(answer.body).status).toBe("ERR_BAD_REQUEST");
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/problem+json",
    "image/png",
  ])("is refused as %s, whatever is in it", async (type) => {
    created = [];
    const answer = await post(calls.createOrder.path, JSON.stringify(orderBody()), { "content-type": type });
    expect(answer.statusCode).toBe(415);
    expect(failureOf(answer.body).status).toBe("ERR_BAD_REQUEST");
    expect(created).toEqual([]);
  });

  it("may name its character set", async () => {
    created = [];
    await post(calls.createOrder.path, JSON.stringify(orderBody()), {
      "content-type": "application/json; charset=utf-8",
    });
    expect(created).toHaveLength(1);
  });
});

describe("an error behind the route", () => {
  it("is answered with its code when it has one", async () => {
    const answer = await app.inject(`${calls.refundInfo.path}?orderId=coded`);
    expect([answer.statusCode, failureOf(answer.body).status]).toEqual([404, "ERR_NOT_FOUND_E"]);
  });

  it.each(["anything", "unknown"])("is a 500 without details (%s)", async (orderId) => {
    const answer = await app.inject(`${calls.refundInfo.path}?orderId=${orderId}`);
    expect(answer.statusCode).toBe(500);
    expect(failureOf(answer.body)).toMatchObject({ status: "ERR_INTERNAL_SERVER_ERROR" });
    expect(answer.body).not.toMatch(/select|password|COMMIT|at |\.ts/);
  });

  it("is a 503 with Retry-After when the database can't be reached", async () => {
    const answer = await app.inject(`${calls.refundInfo.path}?orderId=down`);
    expect([answer.statusCode, failureOf(answer.body).status]).toEqual([503, "ERR_SERVICE_UNAVAILABLE"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.body).not.toContain("10.0.0.7");
  });

  it.each(["locked", "slow", "deadlocked"])("is a 503 when the database cancelled it (%s)", async (orderId) => {
    const answer = await app.inject(`${calls.refundInfo.path}?orderId=${orderId}`);
    expect([answer.statusCode, failureOf(answer.body).status]).toEqual([503, "ERR_SERVICE_UNAVAILABLE"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  });

  it("includes an answer that breaks the contract: it is never sent", async () => {
    const answer = await create(orderBody());
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("not an order");
  });

  it("is found in the log by its traceId, with its cause", async () => {
    const lines: string[] = [];
    const { createLog } = await import("../base/logging/log.ts");
    const log = createLog({ level: "info", destination: { write: (line: string) => void lines.push(line) } });
    await using logged = await testApp(database, { orderService: carelessOrderService, log });
    const answer = await logged.inject(`${calls.refundInfo.path}?orderId=anything`);
    const { traceId } = failureOf(answer.body);
    const found = lines
      .map((line): unknown => JSON.parse(line))
      .filter((line) => z.parse(z.looseObject({}), line)["traceId"] === traceId);
    expect(found).toContainEqual(
      expect.objectContaining({ level: "error", err: expect.objectContaining({ type: "TypeError" }) }),
    );
    expect(JSON.stringify(found)).not.toContain("orderId=anything");
  });
});

describe("where there is nothing", () => {
  it.each([
    "/api",
    "/api/v1/nothing",
    "/api/v1/orders/public/latest/",
    "/api/v1//health",
    "/API/v1/health",
    "/sandbox/pay",
    "/elsewhere",
  ])("GET %s is ERR_NOT_FOUND", async (url) => {
    const answer = await app.inject(url);
    expect([answer.statusCode, failureOf(answer.body).status]).toEqual([404, "ERR_NOT_FOUND"]);
  });

  it("the sandbox is not there while it is off", async () => {
    for (const path of ["pay", "market", "clock", "networks/ETH"]) {
      const answer = await post(`/sandbox/${path}`, "{}");
      expect([answer.statusCode, failureOf(answer.body).status]).toEqual([404, "ERR_NOT_FOUND"]);
    }
  });

  it.each(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] as const)(
    "%s is not allowed where GET or POST is",
    async (method) => {
      for (const { path } of Object.values(calls)) {
        const answer = await app.inject({ method: method as "PUT", url: path });
        expect([400, 404, 405]).toContain(answer.statusCode);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
      expect((await app.inject({ method: "PUT", url: calls.health.path })).headers["allow"]).toBe("GET, HEAD");
    },
  );

  it("a GET of a POST does nothing", async () => {
    created = [];
    const pathsOf = (method: string) =>
      new Set(Object.values(calls).flatMap((call) => (call.method === method ? [call.path] : [])));
    for (const path of pathsOf("POST").difference(pathsOf("GET")))
      expect((await app.inject({ method: "GET", url: path })).statusCode).toBe(405);
    expect(created).toEqual([]);
  });

  it("a path that can't be decoded is unreadable", async () => {
    const answer = await app.inject("/api/%E0%A4%A");
    expect([answer.statusCode, failureOf(answer.body).status]).toEqual([400, "ERR_BAD_REQUEST"]);
  });
});
