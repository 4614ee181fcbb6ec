import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { socketMessageSchema } from "#contract/rate.ts";
import { createLog } from "../../base/logging/log.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { ETH_USD, PUBLIC_URL, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { listen, RawConnection } from "../../../tests/support/http/raw-http.ts";
import { SocketClient } from "../../../tests/support/http/socket-client.ts";
import { defaultSocketLimits, type SocketLimits } from "./socket-limits.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const PARAMS = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "1" };

async function open(
  limits: Partial<SocketLimits> = {},
): Promise<{ app: TestApp; port: number; join(headers?: Record<string, string>): Promise<SocketClient> }> {
  const app = await testApp(database, { config: { socketLimits: { ...defaultSocketLimits, ...limits } } });
  onTestFinished(() => app.close());
  const port = await listen(app);
  return {
    app,
    port,
    join: async (headers) => {
      const client = await SocketClient.open(port, headers);
      onTestFinished(() => client.close());
      return client;
    },
  };
}

function recordedLines(): { lines: string[]; destination: Writable } {
  const lines: string[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    lines.push(String(chunk));
    done();
  };
  return { lines, destination: new Writable({ write }) };
}

const priceOf = (message: unknown): string => {
  const parsed = z.parse(socketMessageSchema, message);
  if (!("data" in parsed)) throw new Error(`no rate: ${JSON.stringify(parsed)}`);
  return parsed.data.price;
};
const failure = (status: string, data?: object) => ({
  event: "pairs.rates",
  error: { status, message: expect.any(String), ...(data && { data }) },
});

describe("a live rate", () => {
  it("comes at once, and again at every change", async () => {
    const { app, join } = await open();
    const client = await join();
    client.ask(PARAMS);
    expect(priceOf(await client.message(0))).toBe("2984.7");
    app.market.advance(3);
    app.market.publish(ETH_USD * 2n);
    expect(priceOf(await client.message(1))).toBe("5969.4");
  });

  it("is what the same request gets over HTTP", async () => {
    const { app, join } = await open();
    const client = await join();
    const params = {
      ...PARAMS,
      claimedDepositAmount: "750.5",
      claimedDepositAmountCurrency: "usdt-erc20",
      rateMode: "FIXED",
    };
    client.ask(params);
    const answer = await app.inject({ url: "/api/v2/rates/public/one", query: params });
    expect(await client.message(0)).toEqual({ event: "pairs.rates", data: answer.json<unknown>() });
  });

  it("of a new request takes the place of the last one's", async () => {
    const { app, join } = await open();
    const client = await join();
    client.ask(PARAMS);
    client.ask({ ...PARAMS, claimedDepositAmount: "2" });
    await client.message(1);
    app.market.advance(3);
    app.market.publish();
    expect(await client.message(2)).toMatchObject({ data: { claimedDepositAmount: "2" } });
    app.market.advance(3);
    app.market.publish();
    expect(await client.message(3)).toMatchObject({ data: { claimedDepositAmount: "2" } });
    expect(client.messages).toHaveLength(4);
  });

  it("that is unavailable is one channel error, and is sent once it is available", async () => {
    const { app, join } = await open();
    const client = await join();
    client.ask({ ...PARAMS, claimedDepositAmount: "0.001" });
    expect(await client.message(0)).toEqual(
      failure("ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", { expected: "0.0017", instrument: "eth" }),
    );
    app.market.publish();
    app.market.advance(3);
    app.market.publish(ETH_USD * 10n);
    expect(priceOf(await client.message(1))).toBe("26850");
    expect(client.messages).toHaveLength(2);
  });

  it("is priced once for all equal requests", async () => {
    const { app, join } = await open();
    const clients = await Promise.all(Array.from({ length: 20 }, () => join()));
    for (const [n, client] of clients.entries()) client.ask({ ...PARAMS, referrerId: `partner-${n}` });
    await Promise.all(clients.map((client) => client.message(0)));
    const priced = vi.spyOn(app.rates, "pairData");
    app.market.advance(3);
    app.market.publish();
    const messages = await Promise.all(clients.map((client) => client.message(1)));
    expect(priced).toHaveBeenCalledTimes(1);
    expect(new Set(messages.map((message) => JSON.stringify(message))).size).toBe(1);
  });
});

describe("a socket message", () => {
  it.each([
    ["no JSON", "rates please", "ERR_BAD_REQUEST"],
    ["a key twice", '{"event":"pairs.rates","event":"pairs.rates"}', "ERR_BAD_REQUEST"],
    ["nothing", "", "ERR_BAD_REQUEST"],
    ["an unknown event", JSON.stringify({ event: "orders", params: PARAMS }), "ERR_VALIDATION"],
    ["no object", "[1]", "ERR_VALIDATION"],
    ["many brackets", "[".repeat(2_000) + "]".repeat(2_000), "ERR_VALIDATION"],
    ["a prototype", '{"__proto__":{"event":"pairs.rates"}}', "ERR_VALIDATION"],
    [
      "an amount that is none",
      JSON.stringify({ event: "pairs.rates", params: { ...PARAMS, claimedDepositAmount: "1e3" } }),
      "ERR_VALIDATION",
    ],
    [
      "an unknown instrument",
      JSON.stringify({ event: "pairs.rates", params: { ...PARAMS, instrumentFromSlug: "nocoin" } }),
      "ERR_VALIDATION",
    ],
  ])("with %s is answered with an error, and the socket lives on", async (_name, text, status) => {
    const { join } = await open();
    const client = await join();
    client.send(text);
    expect(await client.message(0)).toMatchObject(failure(status));
    client.ask(PARAMS);
    expect(priceOf(await client.message(1))).toBe("2984.7");
  });

  it("names the fields that are wrong as the HTTP call does", async () => {
    const { join } = await open();
    const client = await join();
    client.ask({ ...PARAMS, claimedDepositAmount: "-1" });
    expect(await client.message(0)).toMatchObject(
      failure("ERR_VALIDATION", { claimedDepositAmount: expect.any(String) }),
    );
  });

  it("that is wrong ends the previous subscription", async () => {
    const { app, join } = await open();
    const client = await join();
    client.ask(PARAMS);
    client.ask({ ...PARAMS, claimedDepositAmount: "1." });
    await client.message(1);
    app.market.advance(3);
    app.market.publish();
    client.ask({ ...PARAMS, claimedDepositAmount: "3" });
    expect(await client.message(2)).toMatchObject({ data: { claimedDepositAmount: "3" } });
  });

  it.each([
    ["more than 4 KB", "x".repeat(4 * 1024 + 1), 1009],
    ["1 MB", "x".repeat(1_000_000), 1009],
    ["binary", new Uint8Array([1, 2, 3]), 1008],
  ])("of %s closes the socket", async (_name, message, code) => {
    const { join } = await open();
    const client = await join();
    client.send(message);
    expect((await client.closed.promise).code).toBe(code);
  });

  it("in a few fragments is answered, and in many of them closes the socket", async () => {
    const { port } = await open();
    const raw = await shakeHands(port);
    const text = Buffer.from(JSON.stringify({ event: "pairs.rates", params: PARAMS }));
    raw.write(frame(0x01, text.subarray(0, 9)) + frame(0x00, text.subarray(9, 20)) + frame(0x80, text.subarray(20)));
    await vi.waitFor(() => expect(raw.received).toContain('"price":"2984.7"'), 10_000);
    raw.write(frame(0x01, Buffer.from("x")) + frame(0x00, Buffer.from("x")).repeat(20));
    await raw.ended;
    expect(raw.received.slice(-2)).toBe("\x03\xf0");
  });

  it("of a byte at a time closes the socket before it fills the memory", async () => {
    const { port } = await open();
    const raw = await shakeHands(port);
    raw.write(frame(0x81, Buffer.alloc(4_000, 0x20)).slice(0, 8));
    for (let sent = 0; sent < 200; sent += 1) {
      raw.write(" ");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await raw.ended;
    expect(raw.received.slice(-2)).toBe("\x03\xf0");
  });

  it("in no UTF-8 closes the socket", async () => {
    const { port } = await open();
    const raw = await shakeHands(port);
    raw.write(frame(0x81, Buffer.from([0xff, 0xfe])));
    await raw.ended;
    expect(raw.received).toContain(String.fromCodePoint(0x88));
    expect(raw.received.slice(-2)).toBe("\x03\xef");
  });

  it("that breaks the protocol is no error of the server's log", async () => {
    const { lines, destination } = recordedLines();
    const app = await testApp(database, { log: createLog({ level: "warn", destination }) });
    onTestFinished(() => app.close());
    const client = await SocketClient.open(await listen(app));
    client.send("x".repeat(1_000_000));
    expect((await client.closed.promise).code).toBe(1009);
    expect(lines).toEqual([]);
  });

  it("too many of them close the socket, and a steady few do not", async () => {
    const { join } = await open({ burst: 5, perSecond: 1 });
    const client = await join();
    for (let n = 0; n < 5; n += 1) client.ask(PARAMS);
    await client.message(4);
    for (let n = 0; n < 10_000; n += 1) client.ask(PARAMS);
    expect(await client.closed.promise).toEqual({ code: 1008, reason: "too many messages" });
    expect(client.messages.length).toBeLessThan(8);
  });
});

describe("messages of many sockets of one address", () => {
  it("are priced only so many times, the others answered with an error, and a page of another address as ever", async () => {
    const socketLimits = { ...defaultSocketLimits, ofAddress: { burst: 10, perSecond: 0 } };
    const app = await testApp(database, { config: { socketLimits, trustProxy: 1 } });
    onTestFinished(() => app.close());
    const port = await listen(app);
    const ask = async (address: string, amount: number) => {
      const client = await SocketClient.open(port, { "x-forwarded-for": address });
      onTestFinished(() => client.close());
      client.ask({ ...PARAMS, claimedDepositAmount: `${amount}` });
      return { client, answer: await client.message(0) };
    };
    const priced = vi.spyOn(app.rates, "pairData");
    const asked = await Promise.all(Array.from({ length: 30 }, (_, n) => ask("203.0.113.1", n + 1)));
    expect(priced).toHaveBeenCalledTimes(10);
    const refused = asked.filter(({ answer }) => typeof answer === "object" && answer !== null && "error" in answer);
    expect(refused.map(({ answer }) => answer)).toEqual(Array.from({ length: 20 }, () => failure("ERR_BAD_REQUEST")));
    expect((await ask("203.0.113.2", 1)).answer).toHaveProperty("data");
    // A socket that is refused stays open.
    refused[0]?.client.ask(PARAMS);
    expect(await refused[0]?.client.message(1)).toEqual(failure("ERR_BAD_REQUEST"));
  });
});

describe("a handshake", () => {
  it.each([
    [{ origin: "https://evil.test" }, false],
    [{ origin: "null" }, false],
    [{ origin: PUBLIC_URL }, true],
  ])("with %j: opens %s", async (headers, opens) => {
    const { port } = await open();
    const raw = await RawConnection.open(port);
    raw.write(handshake(headers));
    await vi.waitFor(() => expect(raw.received).toContain("\r\n\r\n"), 10_000);
    expect(raw.received.split("\r\n", 1)[0]).toBe(
      opens ? "HTTP/1.1 101 Switching Protocols" : "HTTP/1.1 403 Forbidden",
    );
    if (!opens) await vi.waitFor(() => expect(raw.received).toContain("ERR_FORBIDDEN"));
    raw.close();
  });

  it("of a program without an Origin opens", async () => {
    const { port } = await open();
    const raw = await shakeHands(port);
    raw.close();
  });

  it("beyond an address's limit is closed with a reason, and a freed slot can be taken again", async () => {
    const { join, port } = await open({ perAddress: 2 });
    const first = await join();
    await join();
    const third = await join();
    expect(await third.closed.promise).toEqual({ code: 1013, reason: "too many connections from this address" });
    first.close();
    await first.closed.promise;
    await vi.waitFor(async () => {
      const next = await SocketClient.open(port);
      next.ask(PARAMS);
      expect(await Promise.race([next.message(0), next.closed.promise])).toHaveProperty("data");
      next.close();
    });
  });

  it("counts for the network of an IPv6 client too", async () => {
    const socketLimits = { ...defaultSocketLimits, perAddress: 1 };
    const app = await testApp(database, { config: { socketLimits, trustProxy: 1 } });
    onTestFinished(() => app.close());
    const port = await listen(app);
    const from = async (address: string) => {
      const client = await SocketClient.open(port, { "x-forwarded-for": address });
      onTestFinished(() => client.close());
      client.ask(PARAMS);
      return Promise.race([client.message(0), client.closed.promise]);
    };
    for (let n = 0; n < 4; n += 1) expect(await from(`2001:db8:7:${n}::1`)).toHaveProperty("data");
    expect(await from("2001:db8:7:9::1")).toMatchObject({ code: 1013 });
    expect(await from("2001:db8:8::1")).toHaveProperty("data");
  });

  it("is no plain request", async () => {
    const { app } = await open();
    expect((await app.inject("/api/v2/ws")).statusCode).toBe(404);
  });
});

describe("a reader that does not keep up", () => {
  it("gets the newest rate once it reads again, and few of those between", async () => {
    const { app, port } = await open();
    const raw = await shakeHands(port);
    raw.write(frame(0x81, Buffer.from(JSON.stringify({ event: "pairs.rates", params: PARAMS }))));
    await vi.waitFor(() => expect(raw.received).toContain('"price":"2984.7"'), 10_000);
    raw.stall();
    const priceSnapshots = 20_000;
    for (let n = 1; n <= priceSnapshots; n += 1) {
      app.market.advance(0.001);
      app.market.publish(ETH_USD + BigInt(n) * 10n ** 18n);
      await new Promise((resolve) => setImmediate(resolve));
    }
    raw.resume();
    const last = `"marketLeftPrice":"${3000 + priceSnapshots}"`;
    await vi.waitFor(() => expect(raw.received).toContain(last), { timeout: 10_000 });
    const got = raw.received.split('"event":"pairs.rates"').length - 1;
    expect(got).toBeLessThan(priceSnapshots / 2);
    raw.close();
  });
});

describe("when the server stops", () => {
  it("sockets are closed with a reason", async () => {
    const { app, join } = await open();
    const client = await join();
    client.ask(PARAMS);
    await client.message(0);
    await app.close();
    expect((await client.closed.promise).code).toBe(1001);
  });

  it("one that does not answer delays the stop only briefly", async () => {
    const { app, port } = await open();
    const raw = await shakeHands(port);
    raw.stall();
    const before = performance.now();
    await app.close();
    expect(performance.now() - before).toBeLessThan(4_000);
    raw.close();
  });
});

const handshake = (headers: Record<string, string> = {}): string =>
  [
    "GET /api/v2/ws HTTP/1.1",
    "host: 127.0.0.1",
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

async function shakeHands(port: number): Promise<RawConnection> {
  const raw = await RawConnection.open(port);
  raw.write(handshake());
  await vi.waitFor(() => expect(raw.received).toContain("101 Switching Protocols"), 10_000);
  return raw;
}

/** A client's frame with a mask of zeros, which leaves the bytes as they are. */
function frame(head: number, payload: Buffer): string {
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([head, ...length, 0, 0, 0, 0]), payload]).toString("latin1");
}
