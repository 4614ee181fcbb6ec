import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { PUBLIC_URL, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";

let database: TestDatabase;
let production: TestApp;
let sandbox: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  production = await testApp(database);
  sandbox = await testApp(database, { config: { sandbox: true } });
});
afterAll(async () => {
  await production.close();
  await sandbox.close();
  await database.drop();
});

const validate = async (app: TestApp, headers: Record<string, string>) => {
  const answer = await app.inject({
    method: "POST",
    url: calls.validateAddress.path,
    headers,
    payload: { currencyTitle: "ETH", networkTitle: "ETH", address: "0xabc" },
  });
  return answer.json<{ status?: string; result?: boolean }>();
};
const refused = { status: "ERR_FORBIDDEN" };
const done = { result: true };

describe("a state-changing call", () => {
  it.each([
    [{ "sec-fetch-site": "cross-site" }, refused],
    [{ "sec-fetch-site": "cross-site", origin: PUBLIC_URL }, refused],
    [{ origin: "https://evil.test" }, refused],
    [{ origin: "null" }, refused],
    [{ origin: "https://wherry.test.evil.test" }, refused],
    [{ origin: "http://wherry.test" }, refused],
    [{ origin: "https://wherry.test:444" }, refused],
    [{ origin: "https://evil.test", "sec-fetch-site": "same-origin" }, refused],
    [{ origin: "https://evil.test", host: "evil.test" }, refused],
    [{ cookie: "theme=dark; access=token" }, refused],
    [{ cookie: "refresh=token" }, refused],
    [{ origin: PUBLIC_URL }, done],
    [{ origin: PUBLIC_URL, "sec-fetch-site": "same-origin", cookie: "access=token" }, done],
    [{ "sec-fetch-site": "none" }, done],
    [{ cookie: "referralID=x; theme=dark" }, done],
    [{}, done],
  ])("with %j gives %j", async (headers, expected) => {
    expect(await validate(production, headers)).toMatchObject(expected);
  });

  it.each([
    [{ origin: "http://localhost:3000", host: "localhost:3000" }, done],
    [{ origin: "http://localhost:3000", host: "127.0.0.1:3000" }, done],
    [{ origin: "http://127.0.0.1:3000", host: "localhost:3000" }, done],
    [{ origin: "http://127.0.0.1:3001", host: "localhost:3000" }, refused],
    [{ origin: "https://localhost:3000", host: "localhost:3000" }, refused],
    [{ origin: "http://localhost.evil.test", host: "localhost" }, refused],
    [{ origin: "http://evil.test", host: "localhost:3000" }, refused],
    [{ origin: PUBLIC_URL, host: "localhost:3000" }, done],
  ])("in the sandbox with %j gives %j", async (headers, expected) => {
    expect(await validate(sandbox, headers)).toMatchObject(expected);
  });

  it("is refused before its body is read", async () => {
    const answer = await production.inject({
      method: "POST",
      url: calls.createOrder.path,
      headers: { origin: "https://evil.test", "content-type": "text/plain" },
      payload: "x".repeat(100_000),
    });
    expect(answer.statusCode).toBe(403);
  });
});

describe("a read", () => {
  it("is answered for anyone, who then can't see it from another site", async () => {
    const answer = await production.inject({
      url: calls.health.path,
      headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("has no preflight", async () => {
    const answer = await production.inject({
      method: "OPTIONS",
      url: calls.createOrder.path,
      headers: { origin: "https://evil.test", "access-control-request-method": "POST" },
    });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers).not.toHaveProperty("access-control-allow-methods");
  });
});
