import type { FastifyPluginAsync } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import fastify, { type FastifyInstance } from "fastify";
import { calls } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { anOrder, closedOrderService, orderBody, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { listen, RawConnection } from "../../../tests/support/http/raw-http.ts";
import { createInternalCalls, limitRates } from "./rate-limits.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const LIMITS = { reads: 3, writes: 2, signIns: 2 };

async function open(
  config: { trustProxy?: false | number | readonly string[]; sandbox?: boolean } = {},
  rateLimits = LIMITS,
): Promise<TestApp> {
  const app = await testApp(database, { config: { rateLimits, ...config } });
  onTestFinished(() => app.close());
  return app;
}

const read = async (
  app: TestApp,
  remoteAddress = "10.0.0.1",
  headers: Record<string, string> = {},
  url: string = calls.healthz.path,
) => app.inject({ url, remoteAddress, headers });
const write = async (app: TestApp, remoteAddress = "10.0.0.1") =>
  app.inject({ method: "POST", url: calls.setEmail.path, remoteAddress, payload: {} });
const statuses = async (times: number, call: () => Promise<{ statusCode: number }>): Promise<number[]> => {
  const found: number[] = [];
  for (let n = 0; n < times; n += 1) found.push((await call()).statusCode);
  return found;
};

describe("calls of one address", () => {
  it("are counted, and one too many gets 429 with Retry-After", async () => {
    const app = await open();
    expect(await statuses(4, () => read(app))).toEqual([200, 200, 200, 429]);
    const over = await read(app);
    expect(over.json()).toMatchObject({ status: "ERR_BAD_REQUEST", traceId: expect.any(String) });
    const seconds = Number(over.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await read(app, "10.0.0.2")).statusCode).toBe(200);
  });

  it("have a smaller share when they change something, apart from reads", async () => {
    const app = await open();
    expect(await statuses(3, () => write(app))).toEqual([400, 400, 429]);
    expect((await read(app)).statusCode).toBe(200);
  });

  it("are also counted for unknown paths", async () => {
    const app = await open();
    expect(await statuses(4, () => read(app, "10.0.0.1", {}, "/api/nothing"))).toEqual([404, 404, 404, 429]);
  });

  it.each([
    calls.authenticateLocal.path,
    `${calls.authenticateLocal.path}?x`,
    `${calls.authenticateLocal.path}#x`,
    calls.authenticateLocal.path.replace("authenticate", "%61uthenticate"),
    calls.authenticateLocal.path.replace("/api", "/%61pi"),
  ])("are sign-ins however their path is written: %s", async (url) => {
    const app = await open({}, { ...LIMITS, writes: 30, signIns: 2 });
    const port = await listen(app);
    const body = JSON.stringify({ email: url, password: "b" });
    const head = `host: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
    // As bytes: every client of ours writes it in one way.
    const signIn = async () => {
      const raw = await RawConnection.open(port);
      raw.write(`POST ${url} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
      await raw.ended;
      return { statusCode: Number(raw.received.split(" ")[1]) };
    };
    expect(await statuses(3, signIn)).toEqual([400, 400, 429]);
  });

  it.each(["/sandbox", "/sandbox?x", "/sandbox/pay"])(
    "are counted at %s too while there is no sandbox",
    async (path) => {
      const app = await open({ sandbox: false });
      expect(await statuses(4, () => read(app, "10.0.0.1", {}, path))).toEqual([404, 404, 404, 429]);
    },
  );

  it("can't hide behind a header of an untrusted proxy", async () => {
    const app = await open();
    let n = 0;
    const spoofed = () => {
      n += 1;
      return read(app, "10.0.0.1", {
        "x-forwarded-for": `1.2.3.${n}`,
        "x-real-ip": `1.2.3.${n}`,
        forwarded: `for=1.2.3.${n}`,
      });
    };
    expect(await statuses(4, spoofed)).toEqual([200, 200, 200, 429]);
  });

  it.each([[1], [["10.0.0.0/8"]]])("are distinguished by a trusted proxy's header (%j)", async (trustProxy) => {
    const app = await open({ trustProxy });
    const from = (client: string) => read(app, "10.0.0.1", { "x-forwarded-for": client });
    expect(await statuses(4, () => from("1.2.3.4"))).toEqual([200, 200, 200, 429]);
    expect((await from("1.2.3.5")).statusCode).toBe(200);
  });

  it("behind one trusted hop can't add hops of their own", async () => {
    const app = await open({ trustProxy: 1 });
    let n = 0;
    const spoofed = () => {
      n += 1;
      return read(app, "10.0.0.1", { "x-forwarded-for": `9.9.9.${n}, 1.2.3.4` });
    };
    expect(await statuses(4, spoofed)).toEqual([200, 200, 200, 429]);
  });

  it("are those of one home for IPv6, and of one address for mapped IPv4", async () => {
    const app = await open();
    let n = 0;
    const next = () => {
      n += 1;
      return read(app, `2001:db8:0:1::${n}`);
    };
    expect(await statuses(4, next)).toEqual([200, 200, 200, 429]);
    expect((await read(app, "2001:db8:0:2::1")).statusCode).toBe(200);
    expect((await read(app, "2001:db8:0:2::2")).statusCode).toBe(200);
    await statuses(3, () => read(app, "10.0.0.9"));
    expect((await read(app, "::ffff:10.0.0.9")).statusCode).toBe(429);
  });
});

describe("pages of one address", () => {
  const openPages = async () => {
    const site: FastifyPluginAsync = async (app) => {
      app.get("/page", (request) => app.countPage(request).then(() => "page"));
    };
    const app = await testApp(database, { site, config: { rateLimits: { reads: 15, writes: 2, signIns: 2 } } });
    onTestFinished(() => app.close());
    return app;
  };

  it("are a fifth of its reads, which they leave it", async () => {
    const app = await openPages();
    expect(await statuses(4, () => read(app, "10.0.0.1", {}, "/page"))).toEqual([200, 200, 200, 429]);
    expect((await read(app, "10.0.0.1", {}, "/page")).headers["retry-after"]).toMatch(/^[1-9]\d?$/);
    expect(await statuses(11, () => read(app))).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect((await read(app, "10.0.0.2", {}, "/page")).statusCode).toBe(200);
  });

  it("are counted for its network too", async () => {
    const app = await openPages();
    let n = 0;
    const next = () => read(app, `2001:db8:9:${(n += 1)}::1`, {}, "/page");
    expect(await statuses(13, next)).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
  });
});

describe("calls of one IPv6 network", () => {
  it("are counted together: it has four times an address's share, and no other network less", async () => {
    const app = await open();
    let n = 0;
    const nextReader = () => read(app, `2001:db8:7:${(n += 1)}::1`);
    expect(await statuses(13, nextReader)).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
    const nextWriter = () => write(app, `2001:db8:7:${(n += 1)}::1`);
    expect(await statuses(9, nextWriter)).toEqual([...Array.from({ length: 8 }, () => 400), 429]);
    expect((await read(app, "2001:db8:8::1")).statusCode).toBe(200);
  });
});

describe("many addresses", () => {
  const openFor = async (names: number): Promise<FastifyInstance> => {
    const app = fastify({ trustProxy: (_address, hop) => hop < 1 });
    onTestFinished(() => app.close());
    app.setErrorHandler((error, _request, reply) =>
      reply.code(error instanceof CodedError ? error.httpStatus : 500).send(),
    );
    await limitRates(app, { rateLimits: LIMITS }, createInternalCalls(), null, names);
    app.get("/", () => "");
    return app;
  };
  const ask = async (app: FastifyInstance, remoteAddress: string, headers = {}) =>
    (await app.inject({ url: "/", remoteAddress, headers })).statusCode;

  it("of one network reset no other client's count", async () => {
    const app = await openFor(20);
    for (const client of ["10.0.0.1", "2001:db8:8:1::1"]) for (let n = 0; n < 3; n += 1) await ask(app, client);
    for (let n = 1; n <= 100; n += 1) await ask(app, `2001:db8:7:${n}::1`);
    expect(await ask(app, "10.0.0.1")).toBe(429);
    expect(await ask(app, "2001:db8:8:1::1")).toBe(429);
  });

  it("of many networks reset no IPv4 client's count", async () => {
    const app = await openFor(20);
    for (let n = 0; n < 3; n += 1) await ask(app, "10.0.0.1");
    for (let n = 1; n <= 100; n += 1) await ask(app, `2001:db8:${n}::1`);
    expect(await ask(app, "10.0.0.1")).toBe(429);
  });

  it.each([
    ["203.0.113.7:1001", "203.0.113.7:1002", "203.0.113.7"],
    ["[2001:db8:7::1]:1001", "[2001:db8:7::1]", "2001:db8:7::2"],
    ["junk1", "junk2", "999.1.1.1:80"],
  ])("that a proxy names with a port or that are none are not clients of their own: %s, %s, %s", async (...names) => {
    const app = await openFor(20);
    const from = (name: string) => ask(app, "10.0.0.1", { "x-forwarded-for": name });
    for (const name of names) expect(await from(name)).toBe(200);
    expect(await from(names[0])).toBe(429);
  });
});

describe("a client's order", () => {
  it.each([
    ["203.0.113.7", { key: "203.0.113.7" }],
    ["::ffff:203.0.113.7", { key: "203.0.113.7" }],
    ["2001:db8:7:1:2::3", { key: "2001:db8:7:1::", network: "2001:db8:7::/48" }],
  ])("belongs to its address and its network, also where a page asks for it: %s", async (remoteAddress, expected) => {
    const clients: unknown[] = [];
    const orderService = closedOrderService({
      create: async (_body, { key, network }) => {
        clients.push({ key, ...(network !== undefined && { network }) });
        return anOrder();
      },
    });
    await using app = await testApp(database, { orderService });
    await app.inject({ method: "POST", url: calls.createOrder.path, remoteAddress, payload: orderBody() });
    await app.callInProcess(remoteAddress)("createOrder", { body: orderBody() });
    expect(clients).toEqual([expected, expected]);
  });
});

describe("a burst within the limit", () => {
  it("is served whole, and what is over it is refused", async () => {
    const app = await testApp(database, { config: { rateLimits: { reads: 200, writes: 100, signIns: 2 } } });
    onTestFinished(() => app.close());
    const count = async (calls: readonly Promise<{ statusCode: number }>[]) => {
      const answers = await Promise.all(calls);
      return answers.filter(({ statusCode }) => statusCode === 429).length;
    };
    expect(await count(Array.from({ length: 200 }, () => read(app)))).toBe(0);
    expect(await count(Array.from({ length: 100 }, () => write(app)))).toBe(0);
    expect(await count(Array.from({ length: 20 }, () => read(app)))).toBe(20);
  });
});

describe("every path", () => {
  it.each([
    "/assets/nothing.js",
    "/assets/",
    "/assets/../exchange-eth-usdt-erc20",
    "/assets/%2e%2e/x",
    "/assets/x?y",
    "//assets/x",
    "/ru/assets/x",
    "/",
    "/ru?x",
  ])("is counted where it is no file: %s", async (path) => {
    const app = await open();
    expect((await statuses(4, () => read(app, "10.0.0.1", {}, path))).at(-1)).toBe(429);
  });

  it.each(["/sandbox/nothing", "/sandbox?x", "/sandbox/../exchange"])(
    "is counted in the sandbox too where no sandbox answers: %s",
    async (path) => {
      const app = await open({ sandbox: true });
      expect((await statuses(4, () => read(app, "10.0.0.1", {}, path))).at(-1)).toBe(429);
    },
  );
});

describe("a page that calls its own server", () => {
  it("is not counted", async () => {
    const app = await open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.callInProcess()("healthz", {})));
    expect(answers.map(({ httpStatus }) => httpStatus)).toEqual(answers.map(() => 200));
    expect((await read(app, "127.0.0.1")).statusCode).toBe(200);
  });

  it("asks as a browser does, and gets failures as answers", async () => {
    const app = await open();
    const query = {
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      claimedDepositAmount: "1",
      referrerId: null,
    };
    expect(await app.callInProcess()("rate", { query })).toMatchObject({
      httpStatus: 200,
      body: { amountToGet: "2984.7" },
    });
    const body = { currencyTitle: "ETH", networkTitle: "ETH", address: "0xa" };
    expect(await app.callInProcess()("validateAddress", { body })).toEqual({
      httpStatus: 200,
      body: { result: true, code: null },
    });
    expect(await app.callInProcess()("rate", {})).toMatchObject({
      httpStatus: 400,
      body: { status: "ERR_VALIDATION" },
    });
  });

  it("can't be imitated from outside", async () => {
    const app = await open();
    const imitated = () => read(app, "10.0.0.1", { "x-internal-call": "0".repeat(64) });
    expect(await statuses(4, imitated)).toEqual([200, 200, 200, 429]);
    const twoBytes = () => read(app, "10.0.0.3", { "x-internal-call": "é".repeat(64) });
    expect(await statuses(4, twoBytes)).toEqual([200, 200, 200, 429]);
  });
});
