import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import type { Rendered, RenderRequest } from "#contract/site/ssr.ts";
import { addSecurityHeaders } from "../http/security/security-headers.ts";
import { compress } from "../http/compress.ts";
import { sitePlugin } from "./site.ts";

vi.mock("../http/compress.ts", { spy: true });

const TEMPLATE =
  '<!doctype html><html lang="en"><head><!--head--><script type="module" crossorigin src="/assets/index-1.js"></script></head><body><!--app--><!--data--></body></html>';
const ENTRY = `
export const render = (request) => globalThis.renderUnderTest(request);
export const sitemap = () => globalThis.sitemapUnderTest();`;

/** Each render lasts until the test ends it. */
const begun: { request: RenderRequest; end(changes?: object): void; fail(error: Error): void }[] = [];
const sitemap = vi.fn(async () => ({
  "/sitemap.xml": "<index/>",
  "/sitemaps/pages.xml": "<urlset/>",
  "/sitemaps/blog.xml": null,
}));
let counted = 0;
let distDir: string;

function render(request: RenderRequest): Promise<Rendered> {
  const page = Promise.withResolvers<Rendered>();
  const texts = { lang: "en", head: "", html: `render ${begun.length + 1}`, data: "", preload: [], cookies: [] };
  const end = (changes: object = {}) => page.resolve({ ...texts, status: 200, isErrorPage: false, ...changes });
  begun.push({ request, end, fail: page.reject });
  return page.promise;
}

beforeAll(() => {
  distDir = mkdtempSync(join(tmpdir(), "wherry-load-"));
  for (const [path, text] of [
    ["client/index.html", TEMPLATE],
    ["client/embed.html", TEMPLATE],
    ["client/.vite/manifest.json", "{}"],
    ["server/package.json", '{"type":"module"}'],
    ["server/ssr.js", ENTRY],
  ] as const) {
    mkdirSync(dirname(join(distDir, path)), { recursive: true });
    writeFileSync(join(distDir, path), text);
  }
  vi.stubGlobal("renderUnderTest", render);
  vi.stubGlobal("sitemapUnderTest", sitemap);
});
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(distDir, { recursive: true });
});
beforeEach(() => {
  begun.length = 0;
  counted = 0;
});

async function open({
  production = true,
  pages = Number.POSITIVE_INFINITY,
  callInProcess = async (): Promise<{ httpStatus: number; body: unknown }> => ({ httpStatus: 200, body: {} }),
} = {}) {
  const app: FastifyInstance = fastify();
  onTestFinished(() => app.close());
  const askedFor: unknown[] = [];
  app.decorate("callInProcess", (clientAddress) => {
    askedFor.push(clientAddress);
    return callInProcess;
  });
  app.decorate("countPage", async () => {
    counted += 1;
    if (counted > pages)
      throw new CodedError("ERR_BAD_REQUEST", "one too many", { httpStatus: 429, retryAfterSeconds: 9 });
  });
  addSecurityHeaders(app, []);
  await app.register(sitePlugin, {
    config: { publicUrl: "https://wherry.example", sandbox: false, production },
    distDir,
    clock: { now: () => new Date("2026-11-21T12:00:00.000Z") },
  });
  const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    // The answer is asked for at once, not when somebody waits for it.
    app.inject({ method, url, headers, remoteAddress: headers["x-address"] ?? "203.0.113.1" }).then((answer) => answer);
  return { app, get, askedFor };
}

const rendersBegun = (count: number) => vi.waitFor(() => expect(begun).toHaveLength(count));

it("500 requests of one page are one render, which counts and is compressed once", async () => {
  const { get } = await open();
  vi.mocked(compress).mockClear();
  // The second that it is shared for.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const first = get("/");
  await rendersBegun(1);
  const others = Array.from({ length: 499 }, () => get("/"));
  begun[0]?.end();
  const answers = await Promise.all([first, ...others]);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(answers.every(({ body }) => body.includes("render 1"))).toBe(true);
  expect([begun.length, counted]).toEqual([1, 1]);
  expect(compress).toHaveBeenCalledTimes(1);
  // The nonce is the answer's own.
  expect(new Set(answers.map(({ headers }) => headers["content-security-policy"])).size).toBe(500);
});

it("a page's calls are made for whoever asks for it", async () => {
  const { get, askedFor } = await open();
  const answer = get("/", { "x-address": "203.0.113.9" });
  await rendersBegun(1);
  begun[0]?.end();
  await answer;
  expect(askedFor).toEqual(["203.0.113.9"]);
});

it("a page is rendered again a second later", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { get } = await open();
  for (const [passedMs, renders] of [
    [0, 1],
    [999, 1],
    [1, 2],
  ] as const) {
    vi.advanceTimersByTime(passedMs);
    const answer = get("/");
    while (begun.length < renders) await new Promise((resolve) => setImmediate(resolve));
    begun[renders - 1]?.end();
    expect((await answer).body).toContain(`render ${renders}`);
  }
});

it("500 requests of 500 pages are a few renders at a time, and the rest gets a page that costs nothing", async () => {
  const { get } = await open();
  const answers = Array.from({ length: 500 }, (_, n) => get(`/?r=${n}`));
  const refused = vi.fn();
  for (const answer of answers)
    void answer.then(({ statusCode, headers, body }) => {
      if (statusCode === 503) refused(headers["retry-after"], body.includes('http-equiv="refresh"'));
    });
  // Four are rendered and eight of this client wait.
  await vi.waitFor(() => expect(refused).toHaveBeenCalledTimes(488));
  expect(refused).toHaveBeenLastCalledWith("3", true);
  expect(begun).toHaveLength(4);
  const visitor = get("/", { "x-address": "198.51.100.1" });
  for (let ended = 0; ended < 13; ended += 1) {
    await rendersBegun(Math.min(13, ended + 4));
    begun[ended]?.end();
  }
  expect((await visitor).statusCode).toBe(200);
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(12);
});

it("a client's pages over its limit are refused before anything is rendered, with a text", async () => {
  const { get } = await open({ pages: 0 });
  const answer = await get("/");
  expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([429, "9"]);
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.body).toContain("слишком много страниц");
  expect((await get("/", { "user-agent": "Googlebot" })).body).toBe("");
  expect(begun).toHaveLength(0);
});

it.each([
  [
    "an order's page, which shows the order as it is now",
    "/order/a?destinationAddress=b",
    "/order/a?destinationAddress=b",
    {},
  ],
  ["pages of two addresses", "/?amount=1", "/?amount=2", {}],
  ["pages of two requests outside production, whose error page shows their headers", "/", "/", { production: false }],
])("%s: rendered for each", async (_name, one, two, options) => {
  const { get } = await open(options);
  const answers = [get(one, { "x-a": "1" }), get(two, { "x-a": "2" })];
  await rendersBegun(2);
  for (const { end } of begun) end();
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

it("a page of a failure, of data, rendering or service, is not sent to the next caller", async () => {
  const { get } = await open();
  for (const [n, finish] of [
    () => begun[0]?.end({ status: 500, failure: new Error("the database is away") }),
    () => begun[1]?.fail(new Error("rendering broke")),
    () => begun[2]?.end({ status: 503 }),
    () => begun[3]?.end(),
  ].entries()) {
    const answer = get("/");
    await rendersBegun(n + 1);
    finish();
    expect((await answer).statusCode).toBe([500, 500, 503, 200][n]);
  }
});

it("a HEAD has the page's status and cookies, and renders nothing", async () => {
  const { get } = await open();
  const answer = get("/lookup", {}, "HEAD");
  await rendersBegun(1);
  expect(begun[0]?.request.isStatusOnly).toBe(true);
  begun[0]?.end({ status: 404, cookies: ["referralID=a"] });
  const { statusCode, headers, body } = await answer;
  expect([statusCode, headers["set-cookie"], body]).toEqual([404, ["referralID=a"], ""]);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers).not.toHaveProperty("content-length");
});

it("a page that waits for its data stops waiting when all who asked for it have left, and makes room", async () => {
  const { app } = await open({ callInProcess: () => new Promise(() => undefined) });
  const port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
  const [asked, closed] = [vi.fn(), vi.fn()];
  app.server.on("request", (_request, response) => {
    asked();
    response.once("close", closed);
  });
  const visit = () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nhost: wherry.example\r\n\r\n");
    return socket;
  };
  const [first, second] = [visit(), visit()];
  await rendersBegun(1);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  const settled = vi.fn();
  void begun[0]?.request.api("health", {}).then(({ httpStatus }) => settled(httpStatus));
  first.destroy();
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(settled).not.toHaveBeenCalled();
  second.destroy();
  await vi.waitFor(() => expect(settled).toHaveBeenCalledExactlyOnceWith(503));
  begun[0]?.end({ status: 503 });
});

it("a page waits ten seconds for its data", async () => {
  const { get } = await open({ callInProcess: () => new Promise(() => undefined) });
  const timeouts = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => timeouts.mockRestore());
  const limit = new AbortController();
  timeouts.mockReturnValueOnce(limit.signal);
  const answer = get("/");
  await rendersBegun(1);
  expect(timeouts).toHaveBeenCalledWith(10_000);
  const called = begun[0]?.request.api("health", {});
  limit.abort();
  expect((await called)?.httpStatus).toBe(503);
  begun[0]?.end();
  await answer;
});

it("the sitemap is made once for all who ask within a minute", async () => {
  const { get } = await open();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => get(n % 2 === 0 ? "/sitemap.xml" : "/sitemaps/pages.xml")),
  );
  expect(answers.every(({ body }, n) => body === (n % 2 === 0 ? "<index/>" : "<urlset/>"))).toBe(true);
  for (const path of ["/sitemaps/none.xml", "/sitemaps/toString"]) expect((await get(path)).statusCode).toBe(404);
  // The articles can't be had: the other files don't wait for them.
  expect((await get("/sitemaps/blog.xml")).body).toContain("Its pages can't be read");
  expect(sitemap).toHaveBeenCalledTimes(1);
});
