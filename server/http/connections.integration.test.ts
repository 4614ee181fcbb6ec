import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { closedOrderService, testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { createLog } from "../base/logging/log.ts";
import { listen, RawConnection } from "../../tests/support/http/raw-http.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

async function open(orderService = closedOrderService()): Promise<{ app: TestApp; port: number; origin: string }> {
  const app = await testApp(database, { orderService });
  onTestFinished(() => app.close());
  const port = await listen(app);
  return { app, port, origin: `http://127.0.0.1:${port}` };
}

const answerTo = async (port: number, request: string): Promise<string> => {
  const raw = await RawConnection.open(port);
  raw.write(request);
  await raw.ended;
  return raw.received;
};

describe("a connection", () => {
  it("that sends 2 MB gets 413 and is closed", async () => {
    const { port, origin } = await open();
    const size = 2_000_000;
    const head = `POST ${calls.createOrder.path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`;
    const received = await answerTo(port, head + "x".repeat(size));
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toContain('"status":"ERR_BAD_REQUEST"');
    const answer = await fetch(origin + calls.createOrder.path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ a: "x".repeat(size) }),
    });
    expect(answer.status).toBe(413);
  });

  it("that sends 2 MB without a length is cut off as well", async () => {
    const { port } = await open();
    const raw = await RawConnection.open(port);
    raw.write(
      `POST ${calls.createOrder.path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    for (let n = 0; n < 20; n += 1) raw.write(`186a0\r\n${"x".repeat(100_000)}\r\n`);
    await raw.ended;
    expect(raw.received).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ["no HTTP", "hello\r\n\r\n", 400],
    ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", 400],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "a chunk of no size",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
      400,
    ],
    ["a length with a sign", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: +2\r\n\r\nab", 400],
    ["another coding", "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n", 400],
    ["chunks within a coding", "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n", 400],
    ["a space before a colon", "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding : chunked\r\n\r\n0\r\n\r\n", 400],
    ["a folded header", "GET / HTTP/1.1\r\nhost: x\r\na: b\r\n content-length: 9\r\n\r\n", 400],
    ["line feeds alone", "GET / HTTP/1.1\nhost: x\n\n", 400],
    [
      "a line feed alone after a chunk's size",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
      400,
    ],
    ["17 KB of headers", `GET / HTTP/1.1\r\nhost: x\r\na: ${"b".repeat(17_000)}\r\n\r\n`, 431],
    ["HTTP/0.9", "GET /api/v1/healthz HTTP/0.9\r\nhost: x\r\n\r\n", 400],
    ["HTTP/0.9 as it was", "GET /api/v1/healthz\r\n\r\n", 400],
    ["HTTP/2.0", "GET /api/v1/healthz HTTP/2.0\r\nhost: x\r\n\r\n", 400],
    ["two hosts", "GET /api/v1/healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n", 400],
    ["no host", "GET /api/v1/healthz HTTP/1.1\r\n\r\n", 400],
    ["what it expects", "GET /api/v1/healthz HTTP/1.1\r\nhost: x\r\nexpect: z\r\n\r\n", 417],
    ["a malformed percent code", "GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", 400],
    ["a whole URL for a path", "GET http://evil.example/api/v1/healthz HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    ["one host twice", "GET /api/v1/healthz HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n", 400],
  ])("that brings %s is answered as every failure is, and closed", async (_name, request, status) => {
    const { port, origin } = await open();
    const received = await answerTo(port, request);
    expect(received.split(" ")[1]).toBe(String(status));
    expect(received).toMatch(/\{"status":"ERR_BAD_REQUEST","message":".+","traceId":".+"\}$/);
    const everyAnswer = (await fetch(`${origin}/api/v1/no-such-call`)).headers;
    for (const name of SECURITY_HEADERS)
      expect(received.toLowerCase()).toContain(`\r\n${name}: ${everyAnswer.get(name)?.toLowerCase()}\r\n`);
  });

  it("that is reset in the middle of its body is no failure of ours", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "debug", destination: { write: (line: string) => void lines.push(line) } });
    const app = await testApp(database, { log });
    onTestFinished(() => app.close());
    const raw = await RawConnection.open(await listen(app));
    const head = `POST ${calls.setEmail.path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json`;
    raw.write(`${head}\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n{`);
    // The request has begun.
    await vi.waitFor(() => expect(raw.received).toContain("100 Continue"), 10_000);
    raw.reset();
    await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(0), 10_000);
    await app.inject(calls.healthz.path);
    expect(lines.join("")).toContain('"answered"');
    expect(lines.filter((one) => /"level":"(warn|error)"/.test(one))).toEqual([]);
  });

  it("never echoes a TRACE", async () => {
    const { port } = await open();
    const received = await answerTo(port, "TRACE / HTTP/1.1\r\nhost: x\r\nx-secret: 42\r\nconnection: close\r\n\r\n");
    expect(received.split(" ")[1]).toMatch(/^40[045]$/);
    expect(received).not.toContain("x-secret");
  });

  it("has its time-outs: none of them is off", async () => {
    const { app } = await open();
    const { requestTimeout, headersTimeout, keepAliveTimeout, timeout } = app.server;
    expect({ requestTimeout, headersTimeout, keepAliveTimeout, timeout }).toEqual({
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      timeout: 240_000,
    });
  });
});

describe("an upgrade", () => {
  it.each(["/", "/no-such-page", "/sandbox", calls.health.path, `${calls.health.path}?x=1`, "/api/v2/ws/"])(
    "at %s, where no socket is, is not found and closed at once",
    async (path) => {
      const { port } = await open();
      const received = await answerTo(port, `GET ${path} HTTP/1.1\r\nhost: x\r\n${SOCKET}\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 404 /);
      expect(received).toContain('"status":"ERR_NOT_FOUND"');
    },
  );

  it("to another protocol is declined: its request is answered in HTTP/1.1, as Java's client and curl ask with it", async () => {
    const { port } = await open();
    const h2c =
      "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n";
    for (const path of [calls.health.path, "/api/v2/partner/openapi.json"]) {
      const received = await answerTo(
        port,
        `GET ${path} HTTP/1.1\r\nhost: x\r\n${h2c}\r\nGET /second HTTP/1.1\r\nhost: x\r\n\r\n`,
      );
      // Node reads nothing that came with such a request: the connection ends with its answer.
      expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 200"]);
      expect(received).toMatch(/^connection: close/im);
    }
  });

  it("a thousand times leaves nothing open", async () => {
    const { app, port } = await open();
    const request = `GET ${calls.health.path} HTTP/1.1\r\nhost: x\r\n${SOCKET}\r\n`;
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 100 }, () => answerTo(port, request)));
    await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(0), 10_000);
    expect(app.websocketServer.clients.size).toBe(0);
  });
});

describe("a server that stops", () => {
  it("answers running requests, and accepts no new ones", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const orderService = closedOrderService({
      latest: async () => {
        begun.resolve();
        await gate.promise;
        return [];
      },
    });
    const { app, port, origin } = await open(orderService);
    const answer = fetch(origin + calls.latestOrders.path);
    await begun.promise;
    const closing = app.close();
    await vi.waitFor(() => expect(app.server.listening).toBe(false), 10_000);
    gate.resolve();
    expect((await answer).status).toBe(200);
    await closing;
    await expect(RawConnection.open(port)).rejects.toThrow("ECONNREFUSED");
  });

  it("answers a request that had arrived and was not read yet, on ten connections", async () => {
    const { app, port } = await open();
    const waiting = await Promise.all(Array.from({ length: 10 }, () => RawConnection.open(port)));
    for (const connection of waiting) connection.write(`GET ${calls.healthz.path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await app.close();
    await Promise.all(waiting.map(({ ended }) => ended));
    for (const { received } of waiting) {
      expect(received).toMatch(/^HTTP\/1\.1 (200|503) /);
      if (received.includes(" 503 ")) expect(received).toContain('"status":"ERR_SERVICE_UNAVAILABLE"');
    }
  });

  it.each([
    ["its health", `GET ${calls.health.path} HTTP/1.1`, "", 200],
    ["what reads", `GET ${calls.latestOrders.path} HTTP/1.1`, "", 200],
    ["a head", `HEAD ${calls.health.path} HTTP/1.1`, "", 200],
    ["no call that may change something", `POST ${calls.createOrder.path} HTTP/1.1`, "content-length: 0\r\n", 503],
    ["no new socket", "GET /api/v2/ws HTTP/1.1", SOCKET, 503],
  ])("still answers, until its connections close, %s", async (_case, line, headers, status) => {
    const { app, port } = await open(closedOrderService({ latest: async () => [] }));
    const connection = await RawConnection.open(port);
    const closing = app.close();
    connection.write(`${line}\r\nhost: x\r\n${headers}\r\n`);
    await Promise.all([closing, connection.ended]);
    expect(connection.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(connection.received).toMatch(/connection: close/i);
  });

  it("does not wait for a connection without any request", async () => {
    const { app, port } = await open();
    const asked = await RawConnection.open(port);
    asked.write(`GET ${calls.healthz.path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await vi.waitFor(() => expect(asked.received).toContain("200 OK"), 10_000);
    const silent = await RawConnection.open(port);
    // Accepted in turn: so were all earlier connections.
    await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(2), 10_000);
    await app.close();
    await Promise.all([silent.ended, asked.ended]);
    expect(silent.received).toBe("");
  });
});

const SECURITY_HEADERS = [
  "strict-transport-security",
  "x-content-type-options",
  "referrer-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "content-security-policy",
  "cache-control",
];

const SOCKET =
  "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

const connectionsOf = ({ server }: TestApp): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
