import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database, {
    site: async (pages) => {
      pages.get("/", (request, reply) =>
        reply.type("text/html; charset=utf-8").send(`<script nonce="${request.cspNonce}">`),
      );
      pages.get("/broken", () => {
        throw new Error("a page broke");
      });
    },
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const SWEEP = [
  { url: calls.health.path, status: 200 },
  { url: `${calls.rate.path}?instrumentFromSlug=eth&instrumentToSlug=usdt-erc20&claimedDepositAmount=1`, status: 200 },
  { url: calls.rate.path, status: 400 },
  { url: calls.stats.path, status: 500 },
  { url: "/api/nothing", status: 404 },
  { url: calls.health.path.replace("api", "%61pi"), status: 200 },
  { url: "/%61pi/nothing", status: 404 },
  { url: "/api/openapi.json", status: 200 },
  { url: calls.createOrder.path, status: 405 },
  { url: calls.createOrder.path, status: 415, method: "POST", headers: { "content-type": "text/plain" }, payload: "x" },
  { url: calls.createOrder.path, status: 403, method: "POST", headers: { origin: "https://evil.test" }, payload: {} },
  { url: "/", status: 200 },
  { url: "/broken", status: 500 },
  { url: "/nowhere", status: 404 },
] as const;

describe("every answer", () => {
  it("of the API carries the business clock, refusals too", async () => {
    const expected = app.market.now.toISOString();
    for (const url of [calls.health.path, calls.rate.path, "/api/nothing"])
      expect((await app.inject({ url })).headers["server-time"]).toBe(expected);
  });

  it.each(SWEEP)("$url ($status) has the security headers", async ({ url, status, ...rest }) => {
    const { headers, statusCode } = await app.inject({ url, ...rest });
    expect(statusCode).toBe(status);
    const hsts = /max-age=(\d+); includeSubDomains/.exec(String(headers["strict-transport-security"]));
    expect(Number(hsts?.[1])).toBeGreaterThanOrEqual(31_536_000);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin-allow-popups",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("geolocation=()"),
      "content-type": expect.stringMatching(/; charset=utf-8$/),
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/(^|; )frame-ancestors https:\/\/web\.telegram\.org(;|$)/);
    expect(policy).toContain("base-uri 'none'");
    expect(headers).not.toHaveProperty("x-frame-options");
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  // The document of the API is the same for everybody, and asked for again by its ETag.
  it.each(SWEEP.filter(({ url }) => /^\/(?:a|%61)pi/.test(url) && url !== "/api/openapi.json"))(
    "$url ($status) is never stored",
    async ({ url, status, ...rest }) => {
      const { headers, statusCode } = await app.inject({ url, ...rest });
      expect(statusCode).toBe(status);
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
    },
  );
});

describe("a page's policy", () => {
  it("lets in scripts of our own and those that carry its nonce, WebAssembly, and nothing inline or evaluated", async () => {
    const { headers, body } = await app.inject("/");
    const scripts = /script-src ([^;]+)/.exec(String(headers["content-security-policy"]))?.[1] ?? "";
    const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? "";
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(scripts).toBe(`'self' 'wasm-unsafe-eval' 'nonce-${nonce}'`);
    expect(headers["content-security-policy"]).toContain("object-src 'none'");
  });

  it("has the directives that MDN Observatory gave its best grade for", async () => {
    const { headers } = await app.inject("/");
    const directives = String(headers["content-security-policy"]).split("; ");
    expect(directives.filter((one) => !one.startsWith("script-src") && !one.startsWith("connect-src"))).toEqual([
      "default-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "frame-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors https://web.telegram.org",
    ]);
    expect(directives.filter((one) => one.includes("unsafe-inline"))).toEqual(["style-src 'self' 'unsafe-inline'"]);
  });

  it.each([
    ["/embed", "*"],
    ["/embed?from=btc&to=eth", "*"],
    // The app's own pages, whatever they are called: a frame of one could be led to a person's account.
    ["/", "https://web.telegram.org"],
    ["/embed/", "https://web.telegram.org"],
    ["/%65mbed", "https://web.telegram.org"],
    ["//embed", "https://web.telegram.org"],
    ["/ru/embed", "https://web.telegram.org"],
    ["/embed.js", "https://web.telegram.org"],
    ["/embedded", "https://web.telegram.org"],
  ])("lets %s be framed by %s", async (url, ancestors) => {
    const { headers } = await app.inject(url);
    expect(headers["content-security-policy"]).toMatch(
      new RegExp(`; frame-ancestors ${ancestors.replace("*", "\\*")}$`),
    );
  });

  it("lets other sites load the widget and its script, and nothing else", async () => {
    const ofOthers = async (url: string) => (await app.inject(url)).headers["cross-origin-resource-policy"];
    expect(await ofOthers("/embed?from=btc")).toBe("cross-origin");
    expect(await ofOthers("/embed.js")).toBe("cross-origin");
    expect(await ofOthers("/")).toBe("same-origin");
    expect(await ofOthers("/%65mbed")).toBe("same-origin");
  });

  it("has another nonce each time", async () => {
    const [first, second] = [await app.inject("/"), await app.inject("/")];
    expect(first.body).not.toBe(second.body);
  });
});
