import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { articleAnswerSchema, articleListSchema } from "#contract/site/content.ts";
import { buildContent } from "../../scripts/lib/content/build-content.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { openArticles } from "./articles.ts";

const folder = mkdtempSync(join(tmpdir(), "wherry-articles-"));
const NOW = new Date("2026-03-01T00:00:00Z");
let now = NOW;
let database: TestDatabase;
let app: TestApp;

type Written = { category?: string; tags?: string; date?: string; order?: number; draft?: boolean; text?: string };
function write(path: string, { category, tags = "", date = "2026-01-01", order = 0, draft, text = "Text." }: Written) {
  const file = join(folder, "content", `${path}.md`);
  mkdirSync(dirname(file), { recursive: true });
  const head = [`title: ${path}`, "description: About it.", "author: Wherry", `tags: [${tags}]`, `order: ${order}`];
  const rest = [`category: ${category ?? "one"}`, `publishedAt: ${date}`, ...(draft ? ["draft: true"] : [])];
  writeFileSync(file, ["---", ...head, ...rest, "---", text].join("\n"));
}

beforeAll(async () => {
  write("docs/en/first", { order: 1, tags: "rates", text: "## A\n\nSee [last](guides/last.md)." });
  write("docs/en/second", { order: 2, category: "two" });
  write("docs/en/guides/last", { order: 3, category: "two", tags: "rates" });
  write("docs/en/zeroth", { order: 0, category: "two" });
  write("docs/en/unfinished", { draft: true });
  write("docs/ru/first", { order: 1 });
  write("blog/en/old", { date: "2026-01-05", text: "See [last](../../docs/en/guides/last.md)." });
  write("blog/en/new", { date: "2026-02-05" });
  write("blog/en/later", { date: "2026-03-02" });
  write("blog/ru/later", { date: "2026-02-01" });
  const names = "{ one: { en: One, ru: Один }, two: { en: Two, ru: Два }, empty: { en: Empty, ru: Пусто } }";
  writeFileSync(join(folder, "content/categories.yaml"), `docs: ${names}\nblog: ${names}\n`);
  await buildContent(join(folder, "content"), join(folder, "built"));
  database = await freshDatabase();
  app = await testApp(database, { articles: openArticles(join(folder, "built"), () => now) });
});
afterAll(async () => {
  await app.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const list = async (path: string) => z.parse(articleListSchema, (await app.inject(`/content/${path}`)).json());
const slugs = async (path: string) => (await list(path)).items.map(({ slug }) => slug);
const read = async (path: string) => {
  const answer = await app.inject(`/content/${path}`);
  expect(answer.statusCode).toBe(200);
  return z.parse(articleAnswerSchema, answer.json());
};

describe("lists of articles", () => {
  it("have the docs in their order and the blog by date, without drafts and what is scheduled", async () => {
    expect(await slugs("docs/en")).toEqual(["zeroth", "first", "second", "guides/last"]);
    expect(await slugs("blog/en")).toEqual(["new", "old"]);
  });

  it("have each scheduled article from its day on", async () => {
    now = new Date("2026-03-02T00:00:00Z");
    expect(await slugs("blog/en")).toEqual(["later", "new", "old"]);
    now = NOW;
  });

  it("have the whole number, and the categories that aren't empty, in every part", async () => {
    const { items, total, categories } = await list("docs/en?offset=1&per_page=1");
    expect([items.map(({ slug }) => slug), total]).toEqual([["first"], 4]);
    expect(categories).toEqual([
      { slug: "one", title: "One", count: 1 },
      { slug: "two", title: "Two", count: 3 },
    ]);
  });

  it("are those of one category", async () => {
    expect(await slugs("docs/en?category=two")).toEqual(["zeroth", "second", "guides/last"]);
    expect(await list("docs/en?category=none")).toMatchObject({ items: [], total: 0 });
  });

  it.each([
    "docs/en?offset=-1",
    "docs/en?per_page=0",
    "docs/en?per_page=101",
    "docs/de",
    "news/en",
    "docs/en?category=..",
  ])("refuse %s", async (path) => {
    const answer = await app.inject(`/content/${path}`);
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ status: "ERR_VALIDATION" })]);
  });
});

describe("an article", () => {
  it("has its text, its neighbours, its languages and what is related", async () => {
    const { article, translations, related } = await read("docs/en?slug=first");
    expect(article.html).toContain('<a href="/docs/guides/last">');
    expect(article.toc).toEqual([{ id: "section-a", text: "A", depth: 2 }]);
    expect([article.previous, article.next?.slug]).toEqual([null, "zeroth"]);
    expect(translations).toEqual(["en", "ru"]);
    expect(related.map(({ slug }) => slug)).toEqual(["guides/last"]);
  });

  it("of the docs has the neighbours that the menu by category shows", async () => {
    const { article } = await read("docs/en?slug=zeroth");
    expect([article.previous?.slug, article.next?.slug]).toEqual(["first", "second"]);
  });

  it("of the blog may link the docs by their file", async () => {
    expect((await read("blog/en?slug=old")).article.html).toContain('<a href="/docs/guides/last">');
  });

  it("may lie deeper, and names only the languages that have it", async () => {
    const { article, translations } = await read("docs/en?slug=guides/last");
    expect([article.previous?.slug, article.next, translations]).toEqual(["second", null, ["en"]]);
  });

  it("is in a language before the other one publishes it", async () => {
    expect((await read("blog/ru?slug=later")).translations).toEqual(["ru"]);
  });

  it.each(["docs/ru?slug=second", "docs/en?slug=unfinished", "blog/en?slug=later"])("is not found: %s", async (path) =>
    expect((await app.inject(`/content/${path}`)).statusCode).toBe(404),
  );

  it.each(["../index", "..%2Findex", "first%00", "/etc/passwd", ""])("has no address such as %j", async (slug) =>
    expect((await app.inject(`/content/docs/en?slug=${slug}`)).statusCode).toBe(400),
  );
});

describe("a build that fails", () => {
  it("names the file, and leaves the articles that were there", async () => {
    const before = readFileSync(join(folder, "built/docs/en/index.json"), "utf8");
    write("docs/en/wrong", { category: "unknown" });
    await expect(buildContent(join(folder, "content"), join(folder, "built"))).rejects.toThrow(
      /docs\/en\/wrong\.md:1: category: "unknown"/,
    );
    rmSync(join(folder, "content/docs/en/wrong.md"));
    write("docs/en/two", {});
    await expect(buildContent(join(folder, "content"), join(folder, "built"))).rejects.toThrow(/two\.md:1: .*category/);
    rmSync(join(folder, "content/docs/en/two.md"));
    expect(readFileSync(join(folder, "built/docs/en/index.json"), "utf8")).toBe(before);
  });
});
