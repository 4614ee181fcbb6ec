import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import MiniSearch from "minisearch";
import * as z from "zod";
import { ARTICLE_SEARCH, articleAnswerSchema, articleListSchema, searchIndexSchema } from "#contract/site/content.ts";
import { buildContent } from "../../scripts/lib/content/build-content.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { openArticles } from "./articles.ts";

const folder = mkdtempSync(join(tmpdir(), "wherry-articles-"));
const NOW = new Date("2026-03-01T00:00:00Z");
let now = NOW;
let database: TestDatabase;
let app: TestApp;

const build = () => buildContent(join(folder, "content"), join(folder, "built"), "2026-03-01");

type Written = {
  category?: string;
  tags?: string;
  date?: string;
  order?: number;
  draft?: boolean;
  cover?: string;
  text?: string;
};
function write(
  path: string,
  { category, tags = "", date = "2026-01-01", order = 0, draft, cover, text = "Text." }: Written,
) {
  const file = join(folder, "content", `${path}.md`);
  mkdirSync(dirname(file), { recursive: true });
  const head = [`title: ${path}`, "description: About it.", "author: Wherry", `tags: [${tags}]`, `order: ${order}`];
  const rest = [
    `category: ${category ?? "one"}`,
    `publishedAt: ${date}`,
    ...(draft ? ["draft: true"] : []),
    ...(cover ? [`cover: ${cover}`] : []),
  ];
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
  write("blog/en/later", { date: "2026-03-02", text: "Laterword." });
  write("blog/ru/later", { date: "2026-02-01" });
  const names = "{ one: { en: One, ru: Один }, two: { en: Two, ru: Два }, empty: { en: Empty, ru: Пусто } }";
  writeFileSync(join(folder, "content/categories.yaml"), `docs: ${names}\nblog: ${names}\n`);
  await build();
  mkdirSync(join(folder, "built/pictures"), { recursive: true });
  writeFileSync(join(folder, "built/pictures/boat-0123456789-480.avif"), "a boat");
  writeFileSync(join(folder, "built/secret.avif"), "a secret");
  database = await freshDatabase();
  app = await testApp(database, {
    articles: openArticles(join(folder, "built"), () => now),
    articlePicturesDir: join(folder, "built"),
  });
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

describe("the search", () => {
  const found = async (word: string) => {
    const { index } = z.parse(searchIndexSchema, (await app.inject("/content/blog/en/search-index")).json());
    const isNamed = index.toLowerCase().includes(word);
    return [isNamed, MiniSearch.loadJSON(index, ARTICLE_SEARCH).search(word).length];
  };

  it("finds a scheduled article from its day on without another build, and says nothing of it before", async () => {
    expect(await found("laterword")).toEqual([false, 0]);
    now = new Date("2026-03-02T00:00:00Z");
    expect(await found("laterword")).toEqual([true, 1]);
    now = new Date("2026-12-01T00:00:00Z");
    expect(await found("laterword")).toEqual([true, 1]);
    now = NOW;
  });
});

describe("an article's pictures", () => {
  it("are cached by browsers for ever: their names change with them", async () => {
    const answer = await app.inject("/article-pictures/boat-0123456789-480.avif");
    expect([answer.statusCode, answer.headers["content-type"], answer.headers["cache-control"], answer.body]).toEqual([
      200,
      "image/avif",
      "public, max-age=31536000, immutable",
      "a boat",
    ]);
  });

  it.each(["none-0123456789-480.avif", "boat-0123456789-480.png", "..%2Fsecret.avif", ".."])(
    "are those of the build alone, without %s",
    async (file) => expect((await app.inject(`/article-pictures/${file}`)).statusCode).toBe(404),
  );
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
  const file = "docs/en/wrong";
  const read = () => readFileSync(join(folder, "built/docs/en/index.json"), "utf8");
  it.each<[string, Written, RegExp]>([
    ["an unknown category", { category: "unknown" }, /docs\/en\/wrong\.md:7: category: "unknown"/],
    ["an unknown cover", { cover: "none" }, /wrong\.md:9: cover: "none" is not in content\/covers/],
    ["a place that it has not", { text: "a\n\n[a](#none)" }, /wrong\.md:12: the link #none leads to a place/],
    [
      "a place that an article has not",
      { text: "[a](first.md#none)" },
      /wrong\.md:10: .*first\.md#none .*: it has #a$/,
    ],
    ["a page that is not there", { text: "[a](/no-such-page)" }, /wrong\.md:10: the link \/no-such-page leads nowhere/],
    ["an article by an address that is not there", { text: "[a](/docs/none)" }, /the link \/docs\/none leads nowhere/],
    ["a coin that there is not", { text: "[a](/price/nosuchcoin)" }, /the link \/price\/nosuchcoin leads nowhere/],
    ["a pair that there is not", { text: "[a](/exchange-foo-bar)" }, /the link \/exchange-foo-bar leads nowhere/],
    ["half a letter in a place", { text: "[a](first.md#%zz)" }, /wrong\.md:10: the link first\.md#%zz has a %/],
    ["a slash at the end", { text: "[a](/docs/first/)" }, /the link \/docs\/first\/ leads nowhere/],
    ["a page in another language", { text: "[a](/ru/support)" }, /the link \/ru\/support leads to a page in another/],
    ["a draft", { text: "[a](unfinished.md)" }, /the link unfinished\.md leads nowhere: no published file/],
    ["what is published later", { text: "[a](../../blog/en/later.md)" }, /is not published before 2026-03-02/],
    ["a broken link in a definition", { text: "[a][b]\n\n[b]: /none" }, /wrong\.md:12: the link \/none/],
  ])("at %s names the file and the line, and leaves the articles that were there", async (_, written, message) => {
    const before = read();
    write(file, written);
    await expect(build()).rejects.toThrow(message);
    rmSync(join(folder, `content/${file}.md`));
    expect(read()).toBe(before);
  });

  it.each(["docs/en/wrong.markdown", "docs/en/wrong.MD", "blog/de/wrong.md"])(
    "names %s, which it would leave out",
    async (name) => {
      mkdirSync(dirname(join(folder, "content", name)), { recursive: true });
      writeFileSync(join(folder, "content", name), "Text.");
      await expect(build()).rejects.toThrow(
        name.startsWith("blog/de") ? "blog/de:1: is no language" : `${name}:1: is no article`,
      );
      rmSync(join(folder, "content", name.startsWith("blog/de") ? "blog/de" : name), { recursive: true });
    },
  );

  it("names the article whose address is a category's", async () => {
    write("docs/en/two", {});
    await expect(build()).rejects.toThrow(/two\.md:1: .*category/);
    rmSync(join(folder, "content/docs/en/two.md"));
  });

  it("names the categories that can't be read", async () => {
    const categories = join(folder, "content/categories.yaml");
    const before = readFileSync(categories, "utf8");
    for (const broken of ["docs: [", "docs: {}\n", `blog: {}\ndocs: { one: { en: "a\\u0007", ru: b } }\n`]) {
      writeFileSync(categories, broken);
      await expect(build()).rejects.toThrow("categories.yaml:1: ");
    }
    writeFileSync(categories, before);
  });

  it("takes a link to what is published with the article, and to pages that are no articles", async () => {
    const links = [
      "/docs/first#section-a",
      "/price/btc",
      "/exchange-btc-eth",
      "/blog/one",
      "/rates.xml",
      "//example.com",
      "/",
    ];
    write("blog/en/last", { date: "2026-03-02", text: ["later.md", ...links].map((link) => `[a](${link})`).join(" ") });
    await build();
    rmSync(join(folder, "content/blog/en/last.md"));
  });
});
