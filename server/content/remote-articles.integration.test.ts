import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openRemoteArticles, type RemoteOptions } from "./remote-articles.ts";
import { UnsafeArticleError } from "./sanitiser.ts";

const ITEM = {
  slug: "fees",
  title: "Fees",
  description: "What it costs.",
  category: "exchanging",
  tags: [],
  author: "Wherry",
  publishedAt: "2026-01-01",
  updatedAt: null,
  minutes: 1,
  cover: null,
};
const LIST = { items: [ITEM], total: 1, categories: [{ slug: "exchanging", title: "Exchanging", count: 1 }] };
const articleOf = (html: string) => ({
  article: { ...ITEM, html, toc: [], previous: null, next: null },
  translations: ["en"],
  related: [],
});
const SOURCE = { section: "docs", locale: "en" } as const;

/** A host that answers the content calls as `answer` does. */
async function host(answer: RequestListener, options: Partial<RemoteOptions> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = { warn: vi.fn() };
  return { asked, log, articles: openRemoteArticles({ host: url, log, timeoutMs: 500, ...options }) };
}
const sends =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const unavailable = { code: "ERR_SERVICE_UNAVAILABLE", retryAfterSeconds: 30 };

describe("articles of another host", () => {
  it("are requested by the calls of the contract, and cached", async () => {
    const { articles, asked } = await host(sends(LIST));
    const part = { category: "exchanging", offset: 0, limit: 10 };
    expect(await articles.list(SOURCE, part)).toEqual(LIST);
    expect(await articles.list(SOURCE, part)).toEqual(LIST);
    expect(asked).toEqual(["/content/docs/en?offset=0&per_page=100"]);
  });

  it("of which there are many are all listed, in the host's order", async () => {
    const slugs = Array.from({ length: 250 }, (_, n) => `a${n}`);
    const { articles, asked } = await host((request, response) => {
      const offset = Number(new URL(request.url ?? "", "http://host").searchParams.get("offset"));
      const items = slugs.slice(offset, offset + 100).map((slug) => ({ ...ITEM, slug }));
      sends({ ...LIST, items, total: slugs.length })(request, response);
    });
    const { items, total } = await articles.list(SOURCE, { offset: 240, limit: 100 });
    expect([items.map(({ slug }) => slug), total]).toEqual([slugs.slice(240), 250]);
    expect(asked).toHaveLength(3);
  });

  it("stay, however many others are asked for that aren't there", async () => {
    let isDown = false;
    const { articles, asked } = await host((request, response) => {
      const slug = new URL(request.url ?? "", "http://host").searchParams.get("slug");
      if (isDown) return sends({}, 500)(request, response);
      if (slug === null) return sends(LIST)(request, response);
      return slug === "fees" ? sends(articleOf(""))(request, response) : sends({}, 404)(request, response);
    });
    expect(await articles.find(SOURCE, "fees")).not.toBeNull();
    for (let n = 0; n < 600; n += 1) {
      expect(await articles.find(SOURCE, `none-${n}`)).toBeNull();
      await articles.list(SOURCE, { category: `none-${n}`, offset: n, limit: 10 });
    }
    expect(asked).toHaveLength(2);
    isDown = true;
    expect(await articles.find(SOURCE, "fees")).not.toBeNull();
  });

  it("stay also where the host answers no list", async () => {
    let isDown = false;
    const { articles } = await host((request, response) => {
      const slug = new URL(request.url ?? "", "http://host").searchParams.get("slug");
      if (isDown || slug === null) return sends({}, 500)(request, response);
      return slug === "fees" ? sends(articleOf(""))(request, response) : sends({}, 404)(request, response);
    });
    expect(await articles.find(SOURCE, "fees")).not.toBeNull();
    for (let n = 0; n < 600; n += 1) expect(await articles.find(SOURCE, `none-${n}`)).toBeNull();
    isDown = true;
    expect(await articles.find(SOURCE, "fees")).not.toBeNull();
  });

  it("that aren't there are not found", async () => {
    const { articles, log } = await host(sends({ status: "ERR_NOT_FOUND" }, 404));
    expect(await articles.find(SOURCE, "none")).toBeNull();
    expect(await articles.searchIndex({ section: "docs", locale: "ru" })).toEqual({ index: "" });
    expect(log.warn).not.toHaveBeenCalled();
  });

  it("of which one can't be made safe aren't asked for it again by everybody", async () => {
    const sanitise = vi.fn(() => Promise.reject(new UnsafeArticleError("too much")));
    const { articles, log } = await host(
      (request, response) => sends(request.url?.includes("slug=") ? articleOf("<b>") : LIST)(request, response),
      { sanitise },
    );
    for (let n = 0; n < 3; n += 1) await expect(articles.find(SOURCE, "fees")).rejects.toMatchObject(unavailable);
    expect(sanitise).toHaveBeenCalledTimes(1);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });

  it("lose what is hostile in them, and keep what our own build writes", async () => {
    const good =
      '<h2 id="section-a">A</h2><p><a href="/docs/b">b</a> <code>x</code></p><pre tabindex="0"><code class="language-sh"><span class="pl-c">#</span></code></pre><div class="table-scroll" tabindex="0"><table><tbody><tr><td>1</td></tr></tbody></table></div>';
    const bad =
      '<picture><source srcset="https://evil.example/a.avif"><img src="https://evil.example/a.png" alt=""></picture><script>alert(1)</script><img src="x" onerror="alert(1)"><a href="javascript:alert(1)">a</a><iframe src="//evil.example"></iframe><p id="root" style="position:fixed" class="w-header">p</p><form action="//evil.example"><button>b</button></form><svg onload="alert(1)"></svg><base href="//evil.example"><meta http-equiv="refresh" content="0">';
    const { articles } = await host(sends(articleOf(good + bad)));
    const html = (await articles.find(SOURCE, "fees"))?.article.html ?? "";
    expect(html.startsWith(good)).toBe(true);
    expect(html.slice(good.length)).not.toMatch(
      /script|<img|<picture|<source|onerror|onload|iframe|style=|class=|id=|<form|<button|<svg|<base|<meta/i,
    );
  });

  it("have lines that turn nothing around and hide nothing, in letters that UTF-8 has", async () => {
    const author = "A\uFFFF\u202Egnp.exe\u2066\u200B\uFEFF\u0007\uD83E\nB שלום 👩🏽‍🚀";
    const { articles } = await host(sends({ ...LIST, items: [{ ...ITEM, author, tags: [author] }] }));
    const shown = "Agnp.exe\uFFFD B שלום 👩🏽‍🚀";
    const { items } = await articles.list(SOURCE, { offset: 0, limit: 1 });
    expect(items).toEqual([{ ...ITEM, author: shown, tags: [shown] }]);
  });

  it("come out on their day, whatever the host says of others, each once", async () => {
    const later = { ...ITEM, slug: "later", publishedAt: "2026-03-02" };
    const article = { ...articleOf("").article, ...later };
    let day = new Date("2026-03-01T23:59:59Z");
    const { articles } = await host(
      (request, response) =>
        sends(
          request.url?.includes("slug=")
            ? { ...articleOf(""), article, related: [ITEM, later] }
            : { ...LIST, items: [ITEM, later, ITEM], total: 3 },
        )(request, response),
      { date: () => day },
    );
    const part = { offset: 0, limit: 10 };
    expect(await articles.list(SOURCE, part)).toMatchObject({ items: [ITEM], total: 1 });
    expect(await articles.find(SOURCE, "later")).toBeNull();
    day = new Date("2026-03-02T00:00:00Z");
    expect(await articles.list(SOURCE, part)).toMatchObject({ items: [ITEM, later], total: 2 });
    expect((await articles.find(SOURCE, "later"))?.related).toEqual([ITEM, later]);
  });

  it("have lines, tags and contents of bounded length, and contents that lead into the text alone", async () => {
    const title = "a".repeat(100_000);
    const toc = [...Array(1_000).keys()].flatMap((n) => [
      { id: `section-${n}`, text: "b".repeat(1_000), depth: 2 },
      { id: "root", text: "Root", depth: 2 },
    ]);
    const article = { ...articleOf("").article, title, tags: Array.from({ length: 1_000 }, String), toc };
    const { articles } = await host((request, response) =>
      sends(request.url?.includes("slug=") ? { ...articleOf(""), article } : LIST)(request, response),
    );
    const found = await articles.find(SOURCE, "fees");
    expect([found?.article.title.length, found?.article.tags.length, found?.article.toc.length]).toEqual([
      300, 16, 200,
    ]);
    expect(found?.article.toc.filter(({ id, text }) => !id.startsWith("section-") || text.length > 300)).toEqual([]);
  });

  it.each<[string, RequestListener, Partial<RemoteOptions>]>([
    ["fails", sends({}, 500), {}],
    ["answers something else", sends({ items: "none" }), {}],
    [
      "answers another article",
      sends(articleOf("").article ? { ...articleOf(""), article: { ...articleOf("").article, slug: "other" } } : {}),
      {},
    ],
    ["answers no JSON", (_request, response) => response.end("<html>"), {}],
    ["never answers", () => undefined, { timeoutMs: 50 }],
    ["answers without end", sends(articleOf("a".repeat(20_000))), { maxBytes: 10_000 }],
    [
      "sends us elsewhere",
      (_request, response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
      {},
    ],
  ])("are unavailable while the host %s", async (_, answer, options) => {
    const { articles, log } = await host(answer, options);
    await expect(articles.find(SOURCE, "fees")).rejects.toMatchObject(unavailable);
    expect(log.warn).toHaveBeenCalled();
  });

  it("are those of before while the host fails, for ten minutes", async () => {
    let [isDown, now] = [false, 0];
    const { articles, asked, log } = await host(
      (request, response) => sends(LIST, isDown ? 500 : 200)(request, response),
      { now: () => now },
    );
    const part = { offset: 0, limit: 1 };
    await articles.list(SOURCE, part);
    isDown = true;
    now = 589_000;
    expect(await articles.list(SOURCE, part)).toEqual(LIST);
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(2), 10_000);
    now = 600_000;
    await expect(articles.list(SOURCE, part)).rejects.toMatchObject(unavailable);
    expect(asked).toHaveLength(3);
  });

  it("are read from a list within a time for all its parts, however many the host makes of it", async () => {
    let parts = 0;
    const { articles, asked } = await host(
      (_request, response) => {
        // The host goes on until it is left.
        parts += 1;
        sends({ ...LIST, items: [{ ...ITEM, slug: `a${parts}` }], total: 1_000_000 })(_request, response);
      },
      { indexTimeoutMs: 100 },
    );
    await expect(articles.list(SOURCE, { offset: 0, limit: 1 })).rejects.toMatchObject(unavailable);
    const soFar = asked.length;
    expect(soFar).toBeLessThan(5_000);
    await expect(articles.list(SOURCE, { offset: 0, limit: 1 })).rejects.toMatchObject(unavailable);
    expect(asked).toHaveLength(soFar);
  });

  it("are asked for once in ten seconds of a host that doesn't answer, whatever is asked for", async () => {
    let now = 0;
    const { articles, asked } = await host(() => undefined, { timeoutMs: 50, now: () => now });
    for (let n = 0; n < 20; n += 1) await expect(articles.find(SOURCE, `a${n}`)).rejects.toMatchObject(unavailable);
    await expect(articles.list({ ...SOURCE, locale: "ru" }, { offset: 0, limit: 1 })).rejects.toMatchObject(
      unavailable,
    );
    await expect(articles.searchIndex(SOURCE)).rejects.toMatchObject(unavailable);
    expect(asked).toHaveLength(1);
    now = 10_000;
    await expect(articles.find(SOURCE, "a1")).rejects.toMatchObject(unavailable);
    expect(asked).toHaveLength(2);
  });

  it("with a list longer than 5,000 articles need are not stored", async () => {
    const long = { ...ITEM, description: "a".repeat(1_000_000) };
    const { articles } = await host(sends({ ...LIST, items: [long, long, long], total: 100 }));
    await expect(articles.list(SOURCE, { offset: 0, limit: 1 })).rejects.toMatchObject(unavailable);
  });
});
