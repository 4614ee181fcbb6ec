import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { calls, partnerCalls } from "#contract/calls.ts";
import type { Failure } from "#contract/errors.ts";
import { readFailure, type Reply, type Request } from "../support/http/api.ts";
import { bodyOf, randomAddress } from "../support/scenarios/http-swap.ts";
import {
  CREATE,
  forbidden,
  invalid,
  refusingServer,
  SET_EMAIL,
  unknownOrder,
  unprocessable,
  unreadable,
} from "../support/http/refusals.ts";

const INFO = "/api/v1/orders/public-info";
const UNKNOWN_ORDER = "A".repeat(32);
const TWO_MEGABYTES = 2 * 1024 * 1024;
const server = refusingServer();

describe("an invalid body", () => {
  const good = () => JSON.stringify(bodyOf(server().floating));

  it("unreadable JSON", async () => {
    for (const text of [
      "{",
      "",
      "null,",
      "hello",
      good().slice(0, -1),
      `${good()}}`,
      "{'a':1}",
      "\ufeff{",
      '{"a":"\n"}',
    ])
      await server().expectRefused({ path: CREATE, text }, unreadable);
  });

  it("JSON that is no object", async () => {
    for (const text of ["null", "[]", "5", '"text"', "true", `[${good()}]`])
      await server().expectRefused({ path: CREATE, text }, invalid());
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "text/json",
    "application/octet-stream",
  ])("the media type %s", async (type) => {
    await server().expectRefused(
      { path: CREATE, text: good(), headers: { "content-type": type } },
      { http: 415, code: "ERR_BAD_REQUEST" },
    );
  });

  it("2 MB", async () => {
    const text = JSON.stringify({ ...bodyOf(server().floating), browserFingerprint: "a".repeat(TWO_MEGABYTES) });
    await server().expectRefused({ path: CREATE, text }, { http: 413, code: "ERR_BAD_REQUEST" });
    await server().expectRefused({ path: SET_EMAIL, text }, { http: 413, code: "ERR_BAD_REQUEST" });
    // Without a length in advance.
    await server().expectRefused(() => sendChunked(text), { http: 413, code: "ERR_BAD_REQUEST" });
  });

  it("names that would reach an object's prototype", async () => {
    const inside = good().slice(1);
    for (const text of [
      `{"__proto__":{"rateMode":"FIXED"},${inside}`,
      `{"constructor":{"prototype":{"isAdmin":true}},${inside}`,
      good().replace('"claimedPublicRate":{', '"claimedPublicRate":{"__proto__":{"price":"1"},'),
      good().replace(/}$/, ',"utmData":{"__proto__":{"a":1}}}'),
    ])
      await server().expectRefused({ path: CREATE, text }, unreadable);
  });

  it("nesting without end", async () => {
    for (const deep of [`${"[".repeat(10_000)}${"]".repeat(10_000)}`, `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`])
      await server().expectRefused(
        { path: CREATE, text: good().replace(/}$/, `,"utmData":{"a":${deep}}}`) },
        invalid(),
      );
  });

  it("an invalid Idempotency-Key, or one of another body", async () => {
    for (const key of ["", "k".repeat(256)])
      await server().expectRefused(
        { path: CREATE, text: good(), headers: { "idempotency-key": key } },
        invalid("Idempotency-Key"),
      );
    const headers = { "idempotency-key": "one key" };
    await server().api.call("createOrder", { body: bodyOf(server().floating), headers });
    await server().expectRefused({ path: CREATE, json: bodyOf(server().floating), headers }, unprocessable);
  });
});

describe("an order of somebody else", () => {
  const asking = (orderId: string, destinationAddress: string): Request => ({
    method: "GET",
    path: INFO,
    query: { orderId, destinationAddress },
  });
  const bodyWithoutTrace = (failure: Failure) => ({ ...failure, traceId: "" });

  it("an unknown one and a known one with another address get the same answer", async () => {
    const unknown = await server().expectRefused(
      asking(UNKNOWN_ORDER, server().order.destinationAddress),
      unknownOrder,
    );
    const foreign = await server().expectRefused(asking(server().order.orderId, randomAddress()), unknownOrder);
    expect(bodyWithoutTrace(foreign)).toEqual(bodyWithoutTrace(unknown));
    const headers = async (request: Request) =>
      [...(await server().api.send(request)).headers.entries()].filter(
        ([name]) => !/^(?:date|server-time|x-trace-id)$/.test(name),
      );
    expect(await headers(asking(server().order.orderId, randomAddress()))).toEqual(
      await headers(asking(UNKNOWN_ORDER, server().order.destinationAddress)),
    );
  });

  it.each(["", "0", "' or 1=1 --", "../../etc/passwd", "%00", "constructor", "A".repeat(65), "Ж".repeat(30)])(
    "the id %s",
    async (id) => {
      await server().expectRefused(asking(id, server().order.destinationAddress), unknownOrder);
      await server().expectRefused({ path: SET_EMAIL, json: { orderId: id, userEmail: "a@b.example" } }, unknownOrder);
    },
  );

  it("its own address opens it in any spelling", async () => {
    const { orderId, destinationAddress } = server().order;
    for (const spelled of [destinationAddress.toLowerCase(), ` ${destinationAddress} `])
      expect((await server().api.call("orderInfo", { query: { orderId, destinationAddress: spelled } })).orderId).toBe(
        orderId,
      );
  });

  it("can be neither refunded nor changed", async () => {
    for (const orderId of [UNKNOWN_ORDER, server().order.orderId]) {
      const destinationAddress = randomAddress();
      const refund = {
        orderId,
        destinationAddress,
        refundAddress: randomAddress(),
        refundAmount: "1",
        claimedNetworkFee: "0",
      };
      await server().expectRefused({ path: "/api/v1/orders/public/request-refund", json: refund }, unknownOrder);
      const accept = { orderId, destinationAddress };
      await server().expectRefused(
        { path: "/api/v1/orders/public/accept-rate-mode-change", json: accept },
        unknownOrder,
      );
    }
  });
});

describe("an email", () => {
  const setting = (userEmail: unknown): Request => ({
    path: SET_EMAIL,
    json: { orderId: server().order.orderId, userEmail },
  });

  it.each([
    "",
    "a",
    "a@b",
    "a b@c.example",
    "a@b.example\r\nBcc: x@y.example",
    "<a@b.example>",
    `${"a".repeat(250)}@b.example`,
    null,
    5,
  ])("%j is none", async (email) => {
    await server().expectRefused(setting(email), invalid("userEmail"));
    await server().expectRefused(
      { path: CREATE, json: { ...bodyOf(server().floating), userEmail: email ?? 7 } },
      invalid("userEmail"),
    );
  });

  it("keeps its plus sign, and is set once", async () => {
    const email = "first.last+swap@mail.example";
    expect((await server().api.send(setting(email))).status).toBe(200);
    expect((await server().api.call("orderInfo", { query: server().order })).userEmail).toBe(email);
    await server().expectRefused(setting("second@mail.example"), unprocessable);
    await server().expectRefused(setting(email), unprocessable);
  });
});

describe("a call from another site", () => {
  const elsewhere: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://localhost.evil.example" },
    { "sec-fetch-site": "cross-site" },
  ];

  it.each(elsewhere)("%j", async (headers) => {
    await server().expectRefused({ ...server().creating({}), headers }, forbidden);
    await server().expectRefused(
      { path: SET_EMAIL, json: { orderId: server().order.orderId, userEmail: "a@b.example" }, headers },
      forbidden,
    );
    await server().expectRefused(
      { path: "/sandbox/pay", json: { orderId: server().order.orderId }, headers },
      forbidden,
    );
  });

  it("a session's cookie without an origin", async () => {
    await server().expectRefused({ ...server().creating({}), headers: { cookie: "access=x" } }, forbidden);
  });
});

describe("what else is public", () => {
  const HOOK = calls.cardCallback.path;
  const posted = (path: string, text = "{}"): Request => ({ path, text });
  const got = (path: string): Request => ({ method: "GET", path });
  it.each<[number, Request]>([
    [401, posted(HOOK)],
    [400, posted(HOOK, "{")],
    [400, posted(calls.contact.path)],
    [415, posted(calls.authorityRequest.path)],
    [401, posted(calls.cardSignIn.path)],
    [400, posted(calls.createWebhook.path)],
    [400, posted(calls.subscribeAccountPush.path)],
    [401, posted(partnerCalls.partnerCreateOrder.path)],
    [200, got("/api/v2/partner/openapi.json")],
    [200, got("/content/docs/en")],
    [404, got("/content/docs/en?slug=nothing")],
    [404, got("/content/none")],
    [200, got("/rates.xml")],
    [200, got("/blog/feed.xml")],
    [200, got("/pictures/en/exchange-eth-btc.png")],
    [404, got("/pictures/en/none.png")],
    [200, got("/embed")],
    [200, got("/embed.js")],
    [200, got("/widget")],
  ])(
    "answers %i to %j with the headers of all others, and only the widget's page is framed",
    async (status, request) => {
      const reply = await server().api.send(request);
      expect(reply.status).toBe(status);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        "strict-transport-security": expect.stringContaining("includeSubDomains"),
        "x-content-type-options": "nosniff",
        "referrer-policy": expect.stringMatching(/^(?:same-origin|no-referrer)$/),
      });
      const isFramed = request.path === "/embed";
      expect(reply.headers.get("content-security-policy")).toContain(
        isFramed ? "frame-ancestors *" : "frame-ancestors https://web.telegram.org",
      );
      const frames = /frame-ancestors [^;]*\*/.test(reply.headers.get("content-security-policy") ?? "");
      expect([frames, reply.headers.get("set-cookie")]).toEqual([isFramed, null]);
      if (status >= 400 && !request.path.startsWith("/embed")) expect(readFailure(reply).traceId).not.toBe("");
    },
  );

  it.each([HOOK, calls.contact.path, partnerCalls.partnerCreateOrder.path, calls.subscribeAccountPush.path])(
    "%s takes no 2 MB",
    async (path) => {
      const text = JSON.stringify({ message: "a".repeat(TWO_MEGABYTES) });
      const { status } = await server().api.send({ path, text });
      // Who has to sign in, or to sign, is refused before a body is read.
      expect([401, 413]).toContain(status);
    },
  );
});

it("after all of it the server is healthy and accepts valid calls", async () => {
  await server().expectUnharmed();
});

/** A body without a length in advance. */
function sendChunked(text: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const call = httpRequest(server().url(CREATE), { method: "POST", headers }, (response) => {
      let answer = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (answer += part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers({ "content-type": response.headers["content-type"] ?? "" }),
          text: answer,
        }),
      );
    });
    call.on("error", reject);
    call.end(text);
  });
}
