import { describe, expect, it } from "vitest";
import type { ArticleFile } from "./article-file.ts";
import { renderArticle } from "./render-article.ts";

const addresses: Record<string, string> = { fees: "/docs/fees", "guides/second": "/docs/guides/second" };
const render = (markdown: string, slug = "rates") => {
  const article = { file: `${slug}.md`, slug, markdown, firstLine: 10 } as ArticleFile;
  return renderArticle(article, (to) => addresses[to] ?? null);
};
const htmlOf = async (...given: Parameters<typeof render>) => (await render(...given)).html;

describe("hostile Markdown", () => {
  it.each([
    ["a script", "<script>alert(1)</script>"],
    ["a handler", "<img src=x onerror=alert(1)>"],
    ["a frame", "<iframe src=//evil.example></iframe>"],
    ["a script as a link", "[a](javascript:alert(1))"],
    ["a script as a link, in disguise", "[a](java&#115;cript:alert&#40;1&#41;)"],
    ["data as a link", "[a](data:text/html,<script>alert(1)</script>)"],
    ["data as a picture", "![a](data:image/svg+xml,<svg/onload=alert(1)>)"],
    ["a script as a reference", "[a][b]\n\n[b]: vbscript:alert(1)"],
    ["a style", '<p style="position:fixed">a</p>'],
    ["a form", "<form action=//evil.example><input></form>"],
  ])("loses %s", async (_, markdown) => {
    expect(await htmlOf(markdown)).not.toMatch(
      /<(script|img [^>]*on|iframe|svg|form|input|style)|script:|data:|style=|onerror=/i,
    );
  });

  it("gives no heading the id of an element of the app", async () => {
    expect(await htmlOf("## Page data\n\n## root")).toBe(
      '<h2 id="section-page-data">Page data</h2>\n<h2 id="section-root">root</h2>',
    );
  });

  it("keeps markup in code as text", async () => {
    expect(await htmlOf("`<script>`")).toBe("<p><code>&#x3C;script></code></p>");
  });
});

describe("a table of contents", () => {
  it("has the headings of two levels, equal ones apart, with the ids of the text", async () => {
    const { html, toc } = await render("## A *b*\n\n### Same\n\n### Same\n\n#### Deeper\n\n## Курс");
    expect(toc).toEqual([
      { id: "section-a-b", text: "A b", depth: 2 },
      { id: "section-same", text: "Same", depth: 3 },
      { id: "section-same-1", text: "Same", depth: 3 },
      { id: "section-курс", text: "Курс", depth: 2 },
    ]);
    for (const { id } of toc) expect(html).toContain(`id="${id}"`);
  });

  it("leaves the first level to the title", () => expect(render("a\n\n# B")).rejects.toThrow("rates.md:12: headings"));
});

describe("links to articles", () => {
  it.each([
    ["rates", "fees.md", "/docs/fees"],
    ["rates", "./fees.md#large-sums", "/docs/fees#section-large-sums"],
    ["guides/first", "second.md", "/docs/guides/second"],
    ["guides/first", "../fees.md", "/docs/fees"],
    ["rates", "guides/second.md", "/docs/guides/second"],
    ["rates", "#a", "#section-a"],
  ])("from %s to %s lead to %s", async (slug, link, address) => {
    expect(await htmlOf(`[a](${link})`, slug)).toBe(`<p><a href="${address}">a</a></p>`);
  });

  it.each(["none.md", "../fees.md", "./fees", "guides/none.md"])(
    "to %s, which is not there, stop the build",
    async (link) => {
      const written = render(`a\n\n[a](${link})`, link === "./fees" ? "guides/first" : "rates");
      await expect(written).rejects.toThrow(/:12: the link .* leads nowhere/);
    },
  );

  it("leave other sites alone", async () => {
    expect(await htmlOf("[a](https://example.com/readme.md)")).toContain('href="https://example.com/readme.md"');
  });
});

it.each([
  [0, 1],
  [200, 1],
  [299, 1],
  [300, 2],
  [1_000, 5],
])("%i words are read in %i min", async (words, minutes) => {
  expect((await render("word ".repeat(words))).minutes).toBe(minutes);
});

it("code is coloured by classes, without styles, and scrolls by keyboard as tables do", async () => {
  const html = await htmlOf("```ts\nconst a = 1;\n```\n\n| a |\n|---|\n| b |");
  expect(html).toMatch(/<pre tabindex="0"><code class="language-ts"><span class="pl-/);
  expect(html).toContain('<div tabindex="0" class="table-scroll"><table>');
  expect(html).not.toContain("style=");
});
