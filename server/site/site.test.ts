import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import type { RenderRequest } from "#contract/site/ssr.ts";
import { addSecurityHeaders } from "../http/security/security-headers.ts";
import { inlineScriptHashes } from "./page.ts";
import { createSessionCheck } from "./session-check.ts";
import { sitePlugin } from "./site.ts";

const SCRIPT = 'document.documentElement.dataset.theme = "dark";';
const TEMPLATE = `<!doctype html><html lang="en"><head><script>${SCRIPT}</script><link rel="manifest" href="/manifest.webmanifest"><!--head--><script type="module" crossorigin src="/assets/index-1.js"></script>
<link rel="modulepreload" crossorigin href="/assets/vendor-2.js"><link rel="stylesheet" crossorigin href="/assets/index-1.css"></head><body><div id="root"><!--app--></div>${["en", "ru"].map((lang) => `<template class="w-start-notices" lang="${lang}">not loaded</template>`).join("")}<!--data--></body></html>`;

const MANIFEST = {
  "index.html": { file: "assets/index-1.js", imports: ["_vendor"] },
  _vendor: { file: "assets/vendor-2.js" },
  "src/app/pages/home.tsx": { file: "assets/home-3.js", imports: ["_vendor", "_shared"], css: ["assets/home-3.css"] },
  _shared: { file: "assets/shared-4.js", css: ["assets/shared-4.css"], imports: ["src/app/pages/home.tsx"] },
};

/** Replaces the built app: each address misbehaves in its own way. */
const ENTRY = `
export async function render(request) {
  globalThis.rendered.push(request);
  const page = { lang: request.url.startsWith("/ru") ? "ru" : "en", head: "<title>T</title>", html: "<p>$& page</p>" + "x".repeat(3000), data: '{"a":"\\\\u003c"}', preload: ["src/app/pages/home.tsx"], isErrorPage: false, cookies: [] };
  if (request.url === "/moved") return { redirect: "/ru/there?x=1", status: 307, cookies: ["referralID=a", "b=c"] };
  if (request.url === "/moved-far") return { redirect: "/there?x=" + "1".repeat(20_000), status: 302, cookies: [] };
  if (request.url === "/missing") return { ...page, status: 404, isErrorPage: true };
  if (request.url === "/lookup") return { ...page, status: 404 };
  if (request.url === "/down") return { ...page, status: 503 };
  if (request.url === "/no-data") return { ...page, status: 500, isErrorPage: true, failure: new Error("the database is away") };
  if (request.url === "/throws") throw new Error("rendering broke: secret");
  if (request.url === "/calls") return { ...page, status: 200, html: JSON.stringify(await request.api("health", {})) };
  return { ...page, status: 200 };
}
export const sitemap = async ({ origin, api }) => ({ "/sitemap.xml": "<urlset>" + origin + (await api("pairs", {})).body.called + "</urlset>" });`;

/** Knows one session, and one whose token has expired. */
async function authenticate(token: string): Promise<void> {
  if (token === "expired") throw new CodedError("ERR_IM_A_TEAPOT", "The session has expired");
  if (token === "broken") throw new Error("the database is away");
  if (token !== "live") throw new CodedError("ERR_UNAUTHORIZED", "Sign in first");
}

const rendered: RenderRequest[] = [];
let distDir: string;
let app: FastifyInstance;

function write(path: string, content: string): void {
  const file = join(distDir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

beforeAll(async () => {
  distDir = mkdtempSync(join(tmpdir(), "wherry-site-"));
  write("client/index.html", TEMPLATE);
  write("client/embed.html", TEMPLATE.replace("<head>", '<head><meta name="of" content="the widget">'));
  write("client/shell.html", TEMPLATE);
  write("client/.vite/manifest.json", JSON.stringify(MANIFEST));
  write("client/assets/index-1.js", "export {}");
  write("client/assets/messages/5/en/messages.json", "{}");
  write("client/assets/index-1.js.br", "brotli");
  for (const style of ["index-1", "home-3", "shared-4"])
    write(`client/assets/${style}.css`, `.${style.slice(0, -2)}{}\n`);
  write("client/sw.js", "worker");
  write("client/builds/latest.json", '{"id":"one"}');
  write("client/manifest.webmanifest", "{}");
  write("client/manifest.ru.webmanifest", "{}");
  write("client/icons/icon.svg", "<svg/>");
  write("server/package.json", '{"type":"module"}');
  write("server/ssr.js", ENTRY);
  vi.stubGlobal("rendered", rendered);
  app = fastify();
  app.decorate("callInProcess", () => async (name) => ({ httpStatus: 200, body: { called: name } }));
  app.decorate("countPage", async () => undefined);
  addSecurityHeaders(app, []);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: "ERR_NOT_FOUND" }));
  app.get("/api/v1/health", async () => ({ status: "OK" }));
  const now = new Date("2026-11-21T12:00:00.000Z");
  await app.register(sitePlugin, {
    config: { publicUrl: "https://wherry.example", sandbox: true, production: false },
    distDir,
    clock: { now: () => now },
    isSignedIn: createSessionCheck(authenticate),
    cardProviderOrigin: "https://provider.example",
  });
});

describe("who is signed in", () => {
  it.each([
    ["nobody", undefined, false, "no-cache"],
    ["a live session", "theme=dark; access=live", true, "private, no-cache"],
    ["a live session whose token has expired", "access=expired", true, "private, no-cache"],
    ["an ended session", "access=ended", false, "no-cache"],
    ["a session that can't be looked up", "access=broken", false, "no-cache"],
    ["another cookie", "xaccess=live", false, "no-cache"],
    ["a name without a value beside it", "access; access=live", false, "no-cache"],
    ["a value that is too long", `access=live${"e".repeat(600)}`, false, "no-cache"],
    ["two sessions", "access=live; access=live", false, "no-cache"],
  ])("is known to the page: %s", async (_, cookie, isSignedIn, caching) => {
    const { headers } = await app.inject({ url: "/account", headers: cookie === undefined ? {} : { cookie } });
    expect(headers["cache-control"]).toBe(caching);
    const { headers: again } = await app.inject({ url: "/account", headers: cookie === undefined ? {} : { cookie } });
    expect(again["cache-control"]).toBe(caching);
    const pages = rendered.filter(({ url }) => url === "/account");
    expect(pages.some((page) => page.isSignedIn === isSignedIn)).toBe(true);
  });

  it("is never sent another one's page", async () => {
    const before = rendered.length;
    await Promise.all([app.inject("/mine"), app.inject({ url: "/mine", headers: { cookie: "access=live" } })]);
    expect(rendered.slice(before).map(({ isSignedIn }) => isSignedIn)).toEqual([false, true]);
  });

  it.each(["/profile/info", "/ru/profile/info?a=1", "/lk", "/ru/lk", "/order/x", "/%6Frder/x", "/ru/%70rofile"])(
    "keeps %s out of every cache",
    async (url) => {
      expect((await app.inject(url)).headers["cache-control"]).toBe("no-store");
    },
  );
});

describe("the widget", () => {
  it("has a page of its own, which any site may frame, and in which nobody is signed in", async () => {
    const { headers, body } = await app.inject({ url: "/embed?from=btc", headers: { cookie: "access=live" } });
    expect(body).toContain('<meta name="of" content="the widget">');
    expect(headers["content-security-policy"]).toMatch(/; frame-ancestors \*$/);
    expect(headers["cache-control"]).toBe("no-cache");
    expect(rendered.findLast(({ url }) => url.startsWith("/embed"))?.isSignedIn).toBe(false);
  });

  it("has one address: at another spelling is the app, which nobody may frame", async () => {
    const { headers, body } = await app.inject("/%65mbed");
    expect(body).not.toContain("the widget");
    expect(headers["content-security-policy"]).toMatch(/; frame-ancestors https:\/\/web\.telegram\.org$/);
  });
});

describe("the camera", () => {
  it.each([
    "/exchange-eth-usdt-erc20",
    "/ru/exchange-eth-btc?amount=1&step=destination",
    "/order/x?destinationAddress=0x1",
    "/ru/order/x",
    "/profile/verification",
    "/ru/profile/verification?a=1",
  ])("is open on a page that uses it: %s", async (url) => {
    const policy = String((await app.inject(url)).headers["permissions-policy"]);
    expect(policy).toMatch(/(^|, )camera=\(self(?: "https:\/\/provider\.example")?\)(,|$)/);
    expect(policy).toContain("geolocation=()");
  });

  it.each([
    "/",
    "/ru",
    "/orders",
    "/profile/info",
    "/profile/verifications",
    "/missing",
    "/xexchange-eth",
    "/shell.html",
    "/sw.js",
    "/api/v1/health",
    "/throws",
  ])("is closed on every other one: %s", async (url) => {
    const policy = String((await app.inject(url)).headers["permissions-policy"]);
    expect(policy).toMatch(/(^|, )camera=\(\)(,|$)/);
  });
});

describe("the card provider's page", () => {
  const policiesOf = async (url: string) => {
    const { headers } = await app.inject(url);
    const [frames = ""] = /frame-src [^;]+/.exec(String(headers["content-security-policy"])) ?? [];
    return { frames, camera: String(headers["permissions-policy"]).includes("provider.example") };
  };

  it.each(["/exchange-usd-btc?step=destination", "/ru/exchange-btc-usd"])("may be in a frame of %s", async (url) => {
    expect(await policiesOf(url)).toEqual({ frames: "frame-src 'self' https://provider.example", camera: true });
  });

  it.each(["/", "/ru", "/order/x", "/profile/verification", "/shell.html", "/xexchange-eth", "/missing"])(
    "is removed from %s",
    async (url) => {
      expect(await policiesOf(url)).toEqual({ frames: "frame-src 'self'", camera: false });
    },
  );
});

afterAll(async () => {
  await app.close();
  vi.unstubAllGlobals();
  rmSync(distDir, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe("pages", () => {
  it("are rendered with what the page needs to start", async () => {
    const answer = await get("/ru?amount=1");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain('<html lang="ru"');
    expect(answer.body).toContain("<title>T</title>");
    expect(answer.body).toContain('<div id="root"><p>$& page</p>');
    expect(answer.body).toContain('<script type="application/json" id="page-data">{"a":"\\u003c"}</script>');
    expect(rendered.at(-1)).toMatchObject({
      url: "/ru?amount=1",
      origin: "https://wherry.example",
      now: "2026-11-21T12:00:00.000Z",
      isSandbox: true,
    });
  });

  it.each([
    ["/", "/manifest.webmanifest"],
    ["/ru", "/manifest.ru.webmanifest"],
  ])("%s leads to the manifest of its language", async (url, manifest) => {
    expect((await get(url)).body).toContain(`<link rel="manifest" href="${manifest}">`);
    expect((await get(manifest)).headers["content-type"]).toMatch(/^application\/manifest\+json/);
  });

  it("contain their styles, which a chunk's loader must not load again", async () => {
    const { body } = await get("/");
    const styles = [...body.matchAll(/<style>(.*?)<\/style><link rel="stylesheet" href="(.*?)" disabled>/g)];
    expect(styles.map(([, style, file]) => [style, file])).toEqual([
      [".home{}", "/assets/home-3.css"],
      [".shared{}", "/assets/shared-4.css"],
      [".index{}", "/assets/index-1.css"],
    ]);
    expect(body.match(/rel="stylesheet"/g)).toHaveLength(3);
  });

  it("name their chunks once, also when chunks import each other, and load none before they are painted", async () => {
    const { body } = await get("/");
    expect([...body.matchAll(/<link rel="deferred-module" href="(.*?)">/g)].map(([, file]) => file)).toEqual([
      "/assets/home-3.js",
      "/assets/shared-4.js",
      "/assets/vendor-2.js",
      "/assets/index-1.js",
    ]);
    expect(body).not.toMatch(/rel="(?:module)?preload"|<script[^>]* src=/);
    expect(body).toContain('["/assets/vendor-2.js","/assets/index-1.js"]');
  });

  it.each([
    ["/", 200],
    ["/missing", 404],
    ["/no-data", 500],
  ])("%s has the true status %i and its own page", async (url, status) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain("page</p>");
  });

  it("redirect where the app says, with its cookies", async () => {
    const { statusCode, headers } = await get("/moved");
    expect([statusCode, headers.location]).toEqual([307, "/ru/there?x=1"]);
    expect(headers["set-cookie"]).toEqual(["referralID=a", "b=c"]);
  });

  it("redirect without a query that would make their headers longer than clients take", async () => {
    const { statusCode, headers } = await get("/moved-far");
    expect([statusCode, headers.location]).toEqual([302, "/there"]);
  });

  it("get the address as requested: the app's guards normalise", async () => {
    await get("/ru//price/?x=1");
    expect(rendered.at(-1)?.url).toBe("/ru//price/?x=1");
  });

  it("of a service that is down have Retry-After", async () => {
    const { statusCode, headers } = await get("/down");
    expect([statusCode, headers["retry-after"]]).toEqual([503, "30"]);
  });

  it("get the request's headers only outside production, without credentials", async () => {
    await get("/", { "x-example": "1", cookie: "access=secret", authorization: "Bearer secret" });
    expect(rendered.at(-1)?.requestHeaders).toMatchObject({ "x-example": "1" });
    expect(JSON.stringify(rendered.at(-1)?.requestHeaders)).not.toContain("secret");
  });

  it("fall back to a plain page when rendering fails, without the reason", async () => {
    const answer = await get("/throws");
    expect(answer.statusCode).toBe(500);
    expect(answer.body).toContain("Error 500");
    expect(answer.body).not.toContain("secret");
    expect(answer.body).not.toContain("<script");
  });

  it.each([
    ["/throws", 500],
    ["/no-data", 500],
    ["/missing", 404],
  ])("%s is a bare %i for a crawler (spec §2)", async (url, status) => {
    const answer = await get(url, { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" });
    expect([answer.statusCode, answer.body]).toEqual([status, ""]);
  });

  it("that name what is missing are rendered for crawlers too", async () => {
    const answer = await get("/lookup", { "user-agent": "Googlebot" });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain("page</p>");
  });

  it.each([
    ["/", ["en"]],
    ["/ru", ["ru"]],
    ["/shell.html", ["en", "ru"]],
  ])("%s can say in its language that it was not loaded completely", async (url, languages) => {
    const { body } = await get(url);
    expect(Array.from(body.matchAll(/<template [^>]*lang="(\w+)"/g), ([, lang]) => lang)).toEqual(languages);
  });

  it("call the API in this process", async () => {
    expect((await get("/calls")).body).toContain('{"httpStatus":200,"body":{"called":"health"}}');
  });

  it("are never stored when they open an order", async () => {
    expect((await get("/order/abc?destinationAddress=0x1")).headers["cache-control"]).toBe("no-store");
    expect((await get("/ru/order/abc")).headers["cache-control"]).toBe("no-store");
    expect((await get("/")).headers["cache-control"]).toBe("no-cache");
  });

  it("are compressed where the client accepts it", async () => {
    const answer = await get("/", { "accept-encoding": "gzip, br" });
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(answer.rawPayload).toString()).toContain("page</p>");
    expect((await get("/", { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe("gzip");
    expect((await get("/")).headers).not.toHaveProperty("content-encoding");
  });

  it.each(["/", "/missing", "/shell.html"])("let the inline scripts of %s run, by their hashes", async (url) => {
    const { body, headers } = await get(url);
    const hashes = inlineScriptHashes(body);
    expect(hashes).toHaveLength(url === "/shell.html" ? 1 : 2);
    for (const hash of hashes) {
      expect(hash).toMatch(/^sha256-[A-Za-z0-9+/]{43}=$/);
      expect(headers["content-security-policy"]).toContain(`'${hash}'`);
    }
  });
});

describe("search files", () => {
  it("name the sitemap and the disallowed paths", async () => {
    const { body, headers } = await get("/robots.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(body).toContain("Sitemap: https://wherry.example/sitemap.xml");
    for (const path of ["/api/", "/order/", "/ru/order/"]) expect(body).toContain(`Disallow: ${path}\n`);
    // /llms.txt names it.
    expect(body).toContain("Allow: /api/openapi.json\n");
  });

  it("include a sitemap of the app's pages", async () => {
    const { body, headers } = await get("/sitemap.xml");
    expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
    expect(body).toBe("<urlset>https://wherry.examplepairs</urlset>");
  });
});

describe("files", () => {
  it("with a hash in their name are cached for good, and sent compressed", async () => {
    const answer = await get("/assets/index-1.js", { "accept-encoding": "br" });
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(answer.headers["content-type"]).toMatch(/javascript/);
    expect(answer.body).toBe("brotli");
    expect((await get("/assets/index-1.js")).body).toBe("export {}");
  });

  it("with the messages of a language are cached for 24 hours (spec §9)", async () => {
    const { headers, statusCode } = await get("/assets/messages/5/en/messages.json");
    expect([statusCode, headers["cache-control"]]).toEqual([200, "public, max-age=86400"]);
  });

  it.each(["/sw.js", "/builds/latest.json", "/manifest.webmanifest", "/manifest.ru.webmanifest", "/shell.html"])(
    "%s is revalidated each time",
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-cache"]);
    },
  );

  it("that are missing are 404, not a page", async () => {
    for (const url of ["/assets/gone-9.js", "/builds/older.json", "/icons/none.png", "/screenshots/none.webp"]) {
      const answer = await get(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers["content-type"]).toMatch(/json/);
    }
  });

  it("of calls that aren't there are failures of the API, not pages", async () => {
    for (const url of [
      "/api/v1/none",
      "/dict/none",
      "/content/none",
      "/content/pages/en/none/below",
      "/sandbox/none",
    ]) {
      const answer = await get(url);
      expect([url, answer.statusCode]).toEqual([url, 404]);
      expect(answer.headers["content-type"]).toMatch(/json/);
    }
  });

  it("of the build's internals are not served", async () => {
    for (const url of [
      "/index.html",
      "/embed.html",
      "/.vite/manifest.json",
      "/assets/index-1.js.br",
      "/assets/../../server/ssr.js",
      "/assets/%2e%2e/index.html",
    ]) {
      const { body } = await get(url);
      expect(body).not.toContain("<!--app-->");
      expect(body).not.toContain("isEntry");
      expect(body).not.toContain("brotli");
      expect(body).not.toContain("globalThis.rendered");
    }
  });
});

describe("other paths", () => {
  it("of /api and /sandbox are not pages", async () => {
    expect((await get("/api/v1/health")).json()).toEqual({ status: "OK" });
    for (const url of ["/api/v9/none", "/api", "/sandbox/none"]) {
      const answer = await get(url);
      expect([answer.statusCode, answer.json<unknown>()]).toEqual([404, { status: "ERR_NOT_FOUND" }]);
    }
  });
});
