import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WherryClient, WherryError, type WherryOptions } from "../../public/sdk/wherry.ts";

// What the client makes of servers, and of proxies before them, that don't answer as they should.

type Options = Partial<WherryOptions>;
async function clientOf(answer: RequestListener, options: Options = {}): Promise<WherryClient> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return new WherryClient({ publicKey: "wk_1", secretKey: "ws_1", origin, ...options });
}
const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );
const USED = {
  status: "ERR_UNAUTHORIZED",
  message: "This signature was used already",
  data: { "X-Api-Signature": "was used already" },
  traceId: "t",
};

test.each([
  [502, "<html>Bad gateway</html>", "text/html", "ERR_SERVICE_UNAVAILABLE"],
  [504, "", "text/plain", "ERR_SERVICE_UNAVAILABLE"],
  [403, '{"error":"blocked"}', "application/json", "ERR_INTERNAL_SERVER_ERROR"],
  [200, "<html>Sign in to the network</html>", "text/html", "ERR_INTERNAL_SERVER_ERROR"],
])("a proxy's %d with the body %j is a WherryError", async (http, body, type, status) => {
  const client = await clientOf((_, response) => response.writeHead(http, { "content-type": type }).end(body));
  const error = await failureOf(client.balances());
  expect(error).toBeInstanceOf(WherryError);
  expect(error).toMatchObject({ httpStatus: http, failure: { status, traceId: "" }, retryAfterSeconds: null });
});

test.each([
  ["7", 7],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  ["soon", null],
])("Retry-After: %s is %s seconds", async (given, expected) => {
  const client = await clientOf((_, response) => response.writeHead(503, { "retry-after": given }).end("{}"));
  expect(await failureOf(client.balances())).toMatchObject({ httpStatus: 503, retryAfterSeconds: expected });
});

test("a redirect takes no signature to another host", async () => {
  const asked: string[] = [];
  const other = createServer((_, response) => {
    asked.push("other");
    response.end("[]");
  });
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/v2/partner/balances`;
  const client = await clientOf((_, response) => response.writeHead(307, { location }).end());
  expect(await failureOf(client.balances())).toMatchObject({ httpStatus: 307 });
  expect(asked).toEqual([]);
});

test("an origin may end with a slash", async () => {
  const client = await clientOf(({ url }, response) => response.end(JSON.stringify([{ balance: url }])));
  expect(await client.balances()).toEqual([{ balance: "/api/v2/partner/balances" }]);
});

test("a server that never answers, or stops in its answer, takes its time limit, and no more", async () => {
  const silent = await clientOf(() => {}, { timeoutMs: 50 });
  expect(await failureOf(silent.balances())).toMatchObject({ name: "TimeoutError" });
  const halting = await clientOf((_, response) => void response.writeHead(200).write("["));
  expect(await failureOf(halting.balances({ timeoutMs: 50 }))).toMatchObject({ name: "TimeoutError" });
  const stop = new AbortController();
  const stopped = await clientOf(() => stop.abort());
  expect(await failureOf(stopped.balances({ signal: stop.signal }))).toMatchObject({ name: "AbortError" });
});

test("a signature that was used is made once more, with another time stamp, and not a third time", async () => {
  const stamps: string[] = [];
  let refusals = 1;
  const client = await clientOf(({ headers }, response) => {
    stamps.push(String(headers["x-api-timestamp"]));
    const isRefused = (refusals -= 1) >= 0;
    response.writeHead(isRefused ? 401 : 200).end(JSON.stringify(isRefused ? USED : []));
  });
  expect(await client.balances()).toEqual([]);
  expect(new Set(stamps).size).toBe(2);
  refusals = 2;
  expect(await failureOf(client.balances())).toMatchObject({ httpStatus: 401, failure: USED });
  expect(stamps).toHaveLength(4);
});

test("a call that is refused for its key isn't made again", async () => {
  let calls = 0;
  const client = await clientOf((_, response) => {
    calls += 1;
    response.writeHead(401).end(JSON.stringify({ ...USED, data: undefined }));
  });
  await failureOf(client.balances());
  expect(calls).toBe(1);
});

test("clients with one key have no time stamp twice", async () => {
  const stamps: string[] = [];
  const answer: RequestListener = ({ headers }, response) => {
    stamps.push(String(headers["x-api-timestamp"]));
    response.end("[]");
  };
  const clients = await Promise.all(Array.from({ length: 20 }, () => clientOf(answer)));
  await Promise.all(clients.map((client) => client.balances()));
  expect(new Set(stamps).size).toBe(20);
});
