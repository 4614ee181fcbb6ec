import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { buildContent } from "../scripts/lib/content/build-content.ts";
import { openArticles } from "../server/content/articles.ts";
import { structuredDataOf } from "./support/http/structured-data.ts";
import { type RenderedSite, renderedSite } from "./support/http/rendered-site.ts";

const ORIGIN = "https://wherry.test";
const folder = mkdtempSync(join(tmpdir(), "wherry-content-pages-"));
let site: RenderedSite;

function write(path: string, category: string) {
  const file = join(folder, "content", `${path}.md`);
  mkdirSync(dirname(file), { recursive: true });
  const facts = [
    `title: About ${path}`,
    "description: What it says.",
    "author: Elin Strand",
    "publishedAt: 2026-01-01",
  ];
  writeFileSync(
    file,
    ["---", ...facts, `category: ${category}`, "tags: [rates]", "---", "## Part\n\nText."].join("\n"),
  );
}

beforeAll(async () => {
  for (let n = 1; n <= 11; n++) write(`blog/en/article-${n}`, n === 11 ? "news" : "guides");
  write("blog/en/deep/one", "guides");
  write("blog/ru/article-1", "guides");
  write("docs/en/fees", "exchanging");
  write("docs/en/guides/english", "exchanging");
  write("docs/ru/fees", "exchanging");
  const blog = "{ guides: { en: Guides, ru: Руководства }, news: { en: News, ru: Новости } }";
  writeFileSync(
    join(folder, "content/categories.yaml"),
    `blog: ${blog}\ndocs: { exchanging: { en: Exchanging, ru: Обмен } }\n`,
  );
  await buildContent(join(folder, "content"), join(folder, "built"));
  site = await renderedSite({ articles: openArticles(join(folder, "built"), () => new Date("2026-11-21")) });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const bodyOf = async (path: string) => (await site.get(path)).body;
const alternatesOf = (body: string) =>
  [...body.matchAll(/<link rel="alternate" hreflang="([\w-]+)"/g)].map(([, lang]) => lang);
const graphOf = (body: string) => structuredDataOf(body)?.["@graph"] ?? [];

it("is 503 for every page of the blog and the docs while their host fails, and asks to come back", async () => {
  const fails = () => Promise.reject(new CodedError("ERR_SERVICE_UNAVAILABLE", "The articles can't be read"));
  await using down = await renderedSite({ articles: { list: fails, find: fails, searchIndex: fails } });
  for (const path of ["/blog", "/ru/blog/article-1", "/docs", "/docs/fees"])
    for (const { statusCode, headers } of [await down.get(path), await down.head(path)])
      expect([path, statusCode, headers["retry-after"]]).toEqual([path, 503, "30"]);
});

describe("the status of a page of the blog or the docs", () => {
  it.each([
    ["/blog", 200],
    ["/blog/page2", 200],
    ["/blog/guides", 200],
    ["/blog/guides/page2", 200],
    ["/blog/article-1", 200],
    ["/blog/deep/one", 200],
    ["/ru/blog/article-1", 200],
    ["/docs", 200],
    ["/docs/fees", 200],
    ["/docs/guides/english", 200],
    ["/blog/page0", 404],
    ["/blog/page3", 404],
    ["/blog/page01", 404],
    ["/blog/page-1", 404],
    ["/blog/page1.0", 404],
    ["/blog/page99999999999999999999", 404],
    ["/blog/guides/page3", 404],
    ["/blog/none", 404],
    [`/blog/${"9".repeat(65)}`, 404],
    [`/blog/${"9".repeat(65)}/page2`, 404],
    [`/blog/${"9".repeat(201)}`, 404],
    ["/blog/none/page1", 404],
    ["/blog/article-1/page1", 404],
    ["/blog/article-1/page2", 404],
    ["/blog/deep", 404],
    ["/blog/Article-1", 404],
    ["/blog/deep%2Fone", 404],
    ["/ru/blog/page2", 404],
    ["/ru/blog/news", 404],
    ["/ru/blog/article-2", 404],
    ["/ru/docs/guides/english", 404],
    ["/docs/page1", 404],
    ["/docs/exchanging", 404],
  ])("%s is %d", async (path, status) => expect((await site.get(path)).statusCode).toBe(status));

  it.each([
    ["/blog/page1", "/blog"],
    ["/ru/blog/page1", "/ru/blog"],
    ["/blog/guides/page1", "/blog/guides"],
  ])("%s has moved for good to %s", async (path, to) => {
    const { statusCode, headers } = await site.get(path);
    expect([statusCode, headers.location]).toEqual([301, to]);
  });
});

describe("a page that a language lacks", () => {
  it.each([
    ["/docs/guides/english", "/ru/docs"],
    ["/blog/article-2", "/ru/blog"],
    ["/blog/page2", "/ru/blog"],
    ["/blog/article-1", "/ru/blog/article-1"],
  ])("%s leads to %s in the menus of languages", async (path, other) => {
    const links = [...(await bodyOf(path)).matchAll(/<a[^>]*href="([^"]*)"[^>]*hrefLang="ru"/gi)].map(
      ([, href]) => href,
    );
    expect(links).toEqual([other, other]);
  });
});

describe("the head of a page of the blog or the docs", () => {
  it.each([
    ["/blog", ["en", "ru", "x-default"]],
    ["/blog/page2", ["en", "x-default"]],
    ["/blog/guides", ["en", "ru", "x-default"]],
    ["/blog/news", ["en", "x-default"]],
    ["/blog/article-1", ["en", "ru", "x-default"]],
    ["/ru/blog/article-1", ["en", "ru", "x-default"]],
    ["/blog/article-2", ["en", "x-default"]],
    ["/docs/guides/english", ["en", "x-default"]],
  ])("of %s names the languages %j alone", async (path, languages) =>
    expect(alternatesOf(await bodyOf(path))).toEqual(languages),
  );

  it("describes an article and where it stands", async () => {
    const body = await bodyOf("/blog/article-1");
    expect(body).toContain("<title data-head>About blog/en/article-1 · Wherry</title>");
    expect(body).toContain(`<link rel="canonical" href="${ORIGIN}/blog/article-1"`);
    const [crumbs, article] = graphOf(body);
    expect(article).toMatchObject({
      "@type": "BlogPosting",
      headline: "About blog/en/article-1",
      datePublished: "2026-01-01",
      dateModified: "2026-01-01",
      inLanguage: "en",
    });
    expect(crumbs).toMatchObject({
      itemListElement: ["/", "/blog", "/blog/guides", "/blog/article-1"].map((path) => ({ item: ORIGIN + path })),
    });
    expect(body).toContain(`<link rel="alternate" type="application/atom+xml" href="${ORIGIN}/blog/feed.xml"`);
    expect(body).toContain(`<meta property="og:image" content="${ORIGIN}/pictures/en/blog/article-1.png"`);
  });

  it("has each page of a list stand for itself", async () =>
    expect(await bodyOf("/blog/guides/page2")).toContain(`<link rel="canonical" href="${ORIGIN}/blog/guides/page2"`));
});

describe("the text of an article", () => {
  it("is in the page, with its contents, its neighbours and the other pages of the docs", async () => {
    const body = await bodyOf("/docs/fees");
    expect(body).toContain('<h2 id="section-part">Part</h2>');
    expect(body).toContain('href="#section-part"');
    expect(body).toContain('href="/docs/guides/english"');
    expect((body.match(/<h1/g) ?? []).length).toBe(1);
  });
});
