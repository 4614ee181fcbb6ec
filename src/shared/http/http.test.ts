// @vitest-environment node
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { accessToken, onRenewal, onSessionEnd, setAccessToken } from "./access-token.ts";
import { setRenewal, waitForSignIn } from "./session.ts";
import { CallError, isUnreachable } from "./call-error.ts";
import { send } from "./http-client.ts";

type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
type Answer = (response: ServerResponse, attempt: number, request: IncomingMessage) => void;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server on a real port that answers as the test says, attempt by attempt. */
async function serve(answer: Answer): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      answer(response, seen.length, request);
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

  it("distinguishes a service that is not there from one that refuses", async () => {
    const { origin } = await serve(() => undefined);
    for (const stop of stops.splice(0)) await stop();
    const error = await caught(
      send("validateAddress", { body: { currencyTitle: "ETH", networkTitle: "ETH", address: "0x" } }, origin),
    );
    expect(error.kind).toBe("network");
    expect(isUnreachable(error)).toBe(true);
  });

  it("throws the reader's own reason when it is aborted", async () => {
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

describe("a call of a session", () => {
  afterEach(() => {
    setAccessToken(null);
    setRenewal(null);
  });
  const refusal = (code: string) => ({ status: code, message: "sign in", traceId: "t1" });
  const account = {
    userId: 7,
    email: "ann@mail.example",
    permissions: "USER",
    adminPermissionsScope: null,
    isEmailConfirmed: true,
    isTelegramLinked: false,
    hasSecondFactor: false,
    createdAt: "2026-01-01T00:00:00.000Z",
  };
  const endings = () => {
    let ended = 0;
    onSessionEnd(() => (ended += 1));
    return () => ended;
  };

  it("carries the bearer token, which public calls don't", async () => {
    const { origin, seen } = await serve((response) => json(response, 200, account));
    setAccessToken("t");
    await send("accountData", {}, origin);
    await caught(send("health", {}, origin));
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer t", undefined]);
  });

  it("waits for a sign-in that is under way, and goes on after one that failed", async () => {
    const { origin, seen } = await serve((response) => json(response, 200, account));
    const signIn = Promise.withResolvers<void>();
    waitForSignIn(signIn.promise);
    const waiting = send("accountData", {}, origin);
    await caught(send("health", {}, origin));
    setAccessToken("t");
    signIn.resolve();
    await waiting;
    expect(seen.map(({ url }) => url)).toEqual(["/api/v1/health", "/api/v1/users/account-data"]);
    expect(seen[1]?.headers.authorization).toBe("Bearer t");
    waitForSignIn(Promise.reject(new Error("not signed in")));
    await send("accountData", {}, origin);
  });

  it("is repeated with its key after the expired session was renewed by its cookie, once for all that wait", async () => {
    let isFresh = false;
    let renewals = 0;
    onRenewal(() => (renewals += 1));
    const { origin, seen } = await serve((response, _, request) => {
      if (request.url === "/api/v1/users/authentication/refresh") {
        isFresh = true;
        return json(response, 200, {});
      }
      return isFresh ? json(response, 422, failure) : json(response, 418, refusal("ERR_IM_A_TEAPOT"));
    });
    await Promise.all([
      caught(send("createOrder", { body: {} }, origin)),
      caught(send("createOrder", { body: {} }, origin)),
    ]);
    const creations = seen.filter(({ url }) => url === "/api/v1/orders/public/create");
    const keys = creations.map(({ headers }) => headers["idempotency-key"]);
    expect(seen.filter(({ url }) => url?.endsWith("refresh"))).toHaveLength(1);
    expect(creations).toHaveLength(4);
    expect(new Set(keys).size).toBe(2);
    expect(renewals).toBeGreaterThan(0);
  });

  it.each([
    ["whose refresh is refused", 418, "ERR_IM_A_TEAPOT", 2],
    ["that is not known any more", 401, "ERR_UNAUTHORIZED", 1],
  ])("of a session %s fails, ends the session and is not repeated as a guest's", async (_, status, code, requests) => {
    const { origin, seen } = await serve((response, _attempt, request) =>
      request.url?.endsWith("refresh")
        ? json(response, 401, refusal("ERR_UNAUTHORIZED"))
        : json(response, status, refusal(code)),
    );
    const ended = endings();
    expect(await caught(send("createOrder", { body: {} }, origin))).toMatchObject({ httpStatus: 401 });
    expect(ended()).toBe(1);
    expect(seen).toHaveLength(requests);
  });

  it("keeps the session where nobody answers the refresh", async () => {
    const { origin } = await serve((response, _, request) =>
      request.url?.endsWith("refresh")
        ? json(response, 503, { status: "ERR_SERVICE_UNAVAILABLE", message: "down", traceId: "t" })
        : json(response, 418, refusal("ERR_IM_A_TEAPOT")),
    );
    const ended = endings();
    expect(await caught(send("accountData", {}, origin))).toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
    expect(ended()).toBe(0);
  });

  it("is repeated with the token that Telegram's renewal gives", async () => {
    setRenewal(async () => {
      setAccessToken("new");
      return true;
    });
    setAccessToken("old");
    const { origin, seen } = await serve((response, attempt) =>
      attempt === 1 ? json(response, 418, refusal("ERR_IM_A_TEAPOT")) : json(response, 200, account),
    );
    await send("accountData", {}, origin);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  it("goes on with a newer token where there is one", async () => {
    setAccessToken("old");
    const { origin, seen } = await serve((response, attempt) => {
      if (attempt === 1) setAccessToken("new");
      if (attempt === 1) json(response, 401, refusal("ERR_UNAUTHORIZED"));
      else json(response, 200, account);
    });
    await send("accountData", {}, origin);
    expect(accessToken()).toBe("new");
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });
});
