// @vitest-environment node
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { accessToken, setAccessToken, onSessionEnd } from "./access-token.ts";
import { CallError, isUnreachable } from "./call-error.ts";
import { send } from "./http-client.ts";

type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
type Answer = (response: ServerResponse, attempt: number) => void;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server on a real port that answers as it is told, attempt by attempt. */
async function serve(answer: Answer): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      answer(response, seen.length);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const failure = { status: "ERR_PAIR_NOT_ACTIVE", message: "not now", data: { pair: "eth-btc" }, traceId: "t1" };

const caught = async (work: Promise<unknown>): Promise<CallError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error(`not a CallError: ${String(error)}`);
  return error;
};

describe("a call", () => {
  it("sends its query without what is empty, and gives the parsed answer", async () => {
    const { origin, seen } = await serve((response) => json(response, 200, { recommendedAmount: "0.5", extra: 1 }));
    const query = {
      instrumentFromCurrencyTitle: "ETH",
      instrumentFromNetworkTitle: "ETH",
      instrumentToCurrencyTitle: "USDT",
      instrumentToNetworkTitle: "ETH",
      rateMode: undefined,
    };
    expect(await send("recommendedAmount", { query }, origin)).toEqual({ recommendedAmount: "0.5" });
    expect(seen[0]?.url).toBe(
      "/api/v1/rates/public/recommended-amount?instrumentFromCurrencyTitle=ETH&instrumentFromNetworkTitle=ETH&instrumentToCurrencyTitle=USDT&instrumentToNetworkTitle=ETH",
    );
  });

  it("throws the service's own code with its data and trace", async () => {
    const { origin } = await serve((response) => json(response, 422, failure));
    const error = await caught(send("stats", {}, origin));
    expect(error).toMatchObject({
      kind: "coded",
      code: "ERR_PAIR_NOT_ACTIVE",
      data: { pair: "eth-btc" },
      httpStatus: 422,
      traceId: "t1",
    });
    expect(isUnreachable(error)).toBe(false);
  });

  it.each([
    ["breaks the contract", (response: ServerResponse) => json(response, 200, { status: "FINE" })],
    [
      "is not JSON",
      (response: ServerResponse) => response.writeHead(200, { "content-type": "application/json" }).end("<html>"),
    ],
    [
      "is a failure of someone between",
      (response: ServerResponse) => response.writeHead(404, { "content-type": "text/html" }).end("<html>"),
    ],
  ])("is unreadable when its answer %s", async (_, answer) => {
    const { origin } = await serve(answer);
    expect((await caught(send("health", {}, origin))).kind).toBe("unreadable");
  });

  it("tells a service that is not there from one that refuses", async () => {
    const { origin } = await serve(() => undefined);
    for (const stop of stops.splice(0)) await stop();
    const error = await caught(
      send("validateAddress", { body: { currencyTitle: "ETH", networkTitle: "ETH", address: "0x" } }, origin),
    );
    expect(error.kind).toBe("network");
    expect(isUnreachable(error)).toBe(true);
  });

  it("throws the reader's own reason when it is given up", async () => {
    const { origin, seen } = await serve(() => undefined);
    const abort = new AbortController();
    const work = send("health", { signal: abort.signal }, origin);
    await expect.poll(() => seen.length).toBe(1);
    abort.abort(new Error("another amount was typed"));
    await expect(work).rejects.toThrow("another amount was typed");
  });
});

describe("retries (spec §7)", () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504])("a read is tried once more after %i", async (status) => {
    const { origin, seen } = await serve((response, attempt) =>
      attempt === 1 ? json(response, status, failure, { "retry-after": "0" }) : json(response, 200, { status: "OK" }),
    );
    expect(await send("health", {}, origin)).toEqual({ status: "OK" });
    expect(seen).toHaveLength(2);
  });

  it("a read is not tried a third time", async () => {
    const { origin, seen } = await serve((response) => json(response, 503, failure, { "retry-after": "0" }));
    expect((await caught(send("health", {}, origin))).httpStatus).toBe(503);
    expect(seen).toHaveLength(2);
  });

  it.each([400, 404, 422])("a read is not repeated after %i", async (status) => {
    const { origin, seen } = await serve((response) => json(response, status, failure));
    await caught(send("health", {}, origin));
    expect(seen).toHaveLength(1);
  });

  it("what changes something is never repeated", async () => {
    const { origin, seen } = await serve((response) => json(response, 503, failure, { "retry-after": "0" }));
    await caught(send("setEmail", { body: { orderId: "x", userEmail: "a@b.co" } }, origin));
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: "POST", body: '{"orderId":"x","userEmail":"a@b.co"}' });
    expect(seen[0]?.headers["content-type"]).toBe("application/json");
  });
});

describe("time-outs", () => {
  it("end a call that gets no answer", async () => {
    const { origin } = await serve(() => undefined);
    const given = calls.health.timeoutMs;
    Object.assign(calls.health, { timeoutMs: 50 });
    try {
      const error = await caught(send("health", {}, origin));
      expect(error.kind).toBe("timeout");
      expect(isUnreachable(error)).toBe(true);
    } finally {
      Object.assign(calls.health, { timeoutMs: given });
    }
  });

  it("are those of spec §7", () => {
    const waits = Object.fromEntries(Object.entries(calls).map(([name, { timeoutMs }]) => [name, timeoutMs]));
    expect(waits).toMatchObject({
      createOrder: 200_000,
      requestRefund: 10_000,
      acceptRateModeChange: 10_000,
      rate: 15_000,
      health: 10_000,
    });
  });
});

describe("Idempotency-Key", () => {
  const body = { orderId: "x", destinationAddress: "0x1" };

  it("is always sent with what moves value, the given one or a new one each time", async () => {
    const { origin, seen } = await serve((response) => json(response, 422, failure));
    await caught(send("acceptRateModeChange", { body, idempotencyKey: "given" }, origin));
    await caught(send("acceptRateModeChange", { body }, origin));
    await caught(send("acceptRateModeChange", { body }, origin));
    const keys = seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe("given");
    expect(keys[1]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(3);
  });

  it("is not sent with the rest", async () => {
    const { origin, seen } = await serve((response) => json(response, 200, { status: "OK" }));
    await send("health", {}, origin);
    expect(seen[0]?.headers).not.toHaveProperty("idempotency-key");
  });
});

describe("a call of somebody who is signed in", () => {
  afterEach(() => setAccessToken(null));
  const refusal = (status: string) => ({ status, message: "sign in", traceId: "t1" });

  it.each([
    [401, "ERR_UNAUTHORIZED"],
    [418, "ERR_IM_A_TEAPOT"],
  ])("goes on as a guest's when its token is refused with %d, and the session ends once", async (status, code) => {
    const { origin, seen } = await serve((response, attempt) =>
      attempt <= 2 ? json(response, status, refusal(code)) : json(response, 200, { recommendedAmount: "1" }),
    );
    let ended = 0;
    onSessionEnd(() => (ended += 1));
    setAccessToken("old");
    const query = {
      instrumentFromCurrencyTitle: "ETH",
      instrumentFromNetworkTitle: "ETH",
      instrumentToCurrencyTitle: "USDT",
      instrumentToNetworkTitle: "ETH",
      rateMode: undefined,
    };

    await Promise.allSettled([
      send("recommendedAmount", { query }, origin),
      send("recommendedAmount", { query }, origin),
    ]);

    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer old",
      undefined,
      undefined,
    ]);
    expect(accessToken()).toBeNull();
    expect(ended).toBe(1);
  });

  it("fails where a guest may not make it", async () => {
    const { origin, seen } = await serve((response) => json(response, 401, refusal("ERR_UNAUTHORIZED")));
    setAccessToken("old");
    expect(await caught(send("accountData", {}, origin))).toMatchObject({ code: "ERR_UNAUTHORIZED" });
    expect(seen).toHaveLength(2);
  });

  it("goes on with a newer token where there is one", async () => {
    const { origin, seen } = await serve((response, attempt) => {
      if (attempt === 1) setAccessToken("new");
      json(
        response,
        attempt === 1 ? 401 : 200,
        attempt === 1 ? refusal("ERR_UNAUTHORIZED") : { recommendedAmount: "1" },
      );
    });
    setAccessToken("old");
    await caught(send("stats", {}, origin));
    expect(accessToken()).toBe("new");
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  it("keeps its key when it goes on as a guest's", async () => {
    const { origin, seen } = await serve((response, attempt) =>
      json(response, attempt === 1 ? 418 : 422, attempt === 1 ? refusal("ERR_IM_A_TEAPOT") : failure),
    );
    setAccessToken("old");
    await caught(send("requestRefund", { body: {} }, origin));
    expect(seen).toHaveLength(2);
    expect(seen[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(seen[1]?.headers["idempotency-key"]).toBe(seen[0]?.headers["idempotency-key"]);
  });
});
