import { describe, expect, it, onTestFinished } from "vitest";
import type { ArticleItem } from "#contract/site/content.ts";
import { noDatabase } from "../../tests/support/database/no-database.ts";
import { PUBLIC_URL, testApp } from "../../tests/support/http/http-app.ts";
import type { Articles } from "./articles.ts";

const itemOf = (slug: string, changes: Partial<ArticleItem> = {}): ArticleItem => ({
  slug,
  title: `About ${slug}`,
  description: "What it says.",
  category: "guides",
  tags: ["rates"],
  author: "Wherry",
  publishedAt: "2026-01-02",
  updatedAt: null,
  minutes: 1,
  cover: null,
  ...changes,
});

async function open(items: readonly ArticleItem[]) {
  const list: Articles["list"] = async ({ locale }) => ({
    items: locale === "en" ? [...items] : [],
    total: items.length,
    categories: [],
  });
  const app = await testApp(noDatabase(), { articles: { list } as Articles });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return async (url: string) => {
    const { statusCode, headers, body } = await app.inject(url);
    expect(statusCode).toBe(200);
    return { type: headers["content-type"], body };
  };
}

describe("the blog's feed", () => {
  it("has the newest articles, each with its address, dates and author", async () => {
    const get = await open([itemOf("b", { updatedAt: "2026-03-04", title: 'A & B <i> "c"' }), itemOf("a")]);
    const { type, body } = await get("/blog/feed.xml");
    expect(type).toBe("application/atom+xml; charset=utf-8");
    expect(body).toContain(`<link rel="self" type="application/atom+xml" href="${PUBLIC_URL}/blog/feed.xml"/>`);
    expect(body).toContain("<updated>2026-03-04T00:00:00Z</updated>\n<entry>");
    const entries = body.split("<entry>").slice(1);
    expect(entries.map((entry) => /<id>([^<]+)</.exec(entry)?.[1])).toEqual(
      ["b", "a"].map((slug) => `${PUBLIC_URL}/blog/${slug}`),
    );
    expect(entries[0]).toContain("<title>A &amp; B &lt;i&gt; &quot;c&quot;</title>");
    expect(entries[0]).toContain("<published>2026-01-02T00:00:00Z</published><updated>2026-03-04T00:00:00Z</updated>");
    expect(entries[1]).toContain("<author><name>Wherry</name></author>");
  });

  it("is there in each language, also where nothing is written yet", async () => {
    const { body } = await (await open([]))("/ru/blog/feed.xml");
    expect(body).toContain(`<id>${PUBLIC_URL}/ru/blog</id>`);
    expect(body).toContain('xml:lang="ru"');
    expect(body).not.toContain("<entry>");
  });
});

describe("llms.txt", () => {
  it("lists the pages, the calls and the articles as Markdown links", async () => {
    const get = await open([itemOf("fees", { title: "Fees [all]" })]);
    const { type, body } = await get("/llms.txt");
    expect(type).toBe("text/markdown; charset=utf-8");
    expect(body.split("\n").slice(0, 3)).toEqual(["# Wherry", "", expect.stringMatching(/^> Wherry is/)]);
    expect(body).toContain(`- [Fees \\[all\\]](${PUBLIC_URL}/docs/fees): What it says.`);
    expect(body).toContain(`(${PUBLIC_URL}/api/openapi.json)`);
    for (const path of ["how-it-works", "support", "terms"]) expect(body).toContain(`](${PUBLIC_URL}/${path})`);
    expect((await get("/ru/llms.txt")).body).toContain(`- [Обмен](${PUBLIC_URL}/ru)`);
  });
});
