import { describe, expect, it } from "vitest";
import type { ArticleFile } from "./article-file.ts";
import { renderArticle } from "./render-article.ts";

const addresses: Record<string, string> = { fees: "/docs/fees", "guides/second": "/docs/guides/second" };
const render = (markdown: string, slug = "rates", locale: "en" | "ru" = "en") => {
  const article = { file: `${slug}.md`, slug, markdown, firstLine: 10 } as ArticleFile;
  return renderArticle(article, { locale, addressOf: (to) => addresses[to] ?? null, pictures: new Map() });
};
const htmlOf = async (...given: Parameters<typeof render>) => (await render(...given)).html;

describe("hostile Markdown", () => {
  it.each([
    ["a script as a link", "[a](javascript:alert(1))"],
    ["a script as a link, in disguise", "[a](java&#115;cript:alert&#40;1&#41;)"],
    ["data as a link", "[a](data:text/html,<script>alert(1)</script>)"],
    ["a script as a reference", "[a][b]\n\n[b]: vbscript:alert(1)"],
    ["a Telegram link", "[a](tg://resolve?domain=a)"],
    ["a file of a server", "<ftp://example.com/a>"],
  ])("with %s is refused: the link would be lost", async (_, markdown) => {
    await expect(render(markdown)).rejects.toThrow(/^rates\.md:1[02]: (?:the link \S+ is not shown|HTML is not shown)/);
  });

  it.each([
    ["a footnote that is never used", "a\n\n[^9]: b", /^rates\.md:12: nothing refers to the footnote \[\^9\]/],
    ["a footnote that is not defined", "a\n\nb[^9]", /^rates\.md:12: the footnote \[\^9\] has no definition/],
    ["a reference that is not defined", "[*a*][nowhere]", /^rates\.md:10: the link \[nowhere\] has no definition/],
    ["a heading with the id of the notes", "## Note list\n\na[^1]\n\n[^1]: b", /^rates\.md:10: .* section-note-list/],
  ])("with %s is refused", async (_, markdown, message) => {
    await expect(render(markdown)).rejects.toThrow(message);
  });

  it("may have brackets that are meant so", async () => {
    expect(await htmlOf("a\\[^9] b\\][c] `d[0][1]` [e]")).toBe("<p>a[^9] b][c] <code>d[0][1]</code> [e]</p>");
  });

  it.each([
    ["a script", "<script>alert(1)</script>"],
    ["a handler", "<img src=x onerror=alert(1)>"],
    ["a frame", "<iframe src=//evil.example></iframe>"],
    ["a style", '<p style="position:fixed">a</p>'],
    ["a form", "<form action=//evil.example><input></form>"],
    ["words in a box", "<div>\n\nWords\n\n</div>"],
    ["words in a line", "a <b>b</b>"],
    ["a comment that never ends", "<!-- a\n\nb"],
  ])("with %s is refused: what is written would be lost", async (_, markdown) => {
    await expect(render(`a\n\n${markdown}`)).rejects.toThrow(/^rates\.md:12: HTML is not shown/);
  });

  it("with data as a picture is refused", async () => {
    const drawing = "![a](data:image/svg+xml,<svg/onload=alert(1)>)";
    await expect(render(drawing)).rejects.toThrow(/^rates\.md:10: the picture data:/);
  });

  it("may have comments, which nobody reads", async () => {
    expect(await htmlOf("a\n\n<!-- b -->\n\nc")).toBe("<p>a</p>\n<p>c</p>");
  });

  it("of brackets and marks without end is read in bounded work", async () => {
    const before = process.threadCpuUsage();
    for (const mark of ["[", "*a ", "`", "<", "![", "_a"])
      await render(mark.repeat(5_000)).catch((error: unknown) => expect(String(error)).toMatch(/rates\.md:10/));
    // Of this thread's own processor time: others on the machine don't count.
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(10_000);
  });

  it("puts on no heading the id of an element of the app", async () => {
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

describe("footnotes", () => {
  it("lead there and back, under a heading in the page's language that the contents leave out", async () => {
    const { html, toc, ids } = await render("## A\n\nb[^1] and c[^1]\n\n[^1]: Note", "rates", "ru");
    const links = Array.from(html.matchAll(/href="#([^"]*)"/g), ([, id = ""]) => id);
    expect(links).toHaveLength(4);
    for (const id of links) expect([...ids]).toContain(id);
    for (const id of html.matchAll(/aria-describedby="([^"]*)"/g)) expect([...ids]).toContain(id[1]);
    expect(html).toContain('<h2 id="section-note-list">Примечания</h2>');
    expect(html).toContain('aria-label="Вернуться к тексту, примечание 1"');
    expect(html).not.toMatch(/user-content|sr-only|Footnotes/);
    expect(toc.map(({ text }) => text)).toEqual(["A"]);
  });
});

it("boxes to tick are refused: nobody could tick them", () =>
  expect(render("- a\n- [ ] b")).rejects.toThrow(/^rates\.md:11: a list has no boxes/));

it("a heading needs words", () => expect(render("a\n\n##")).rejects.toThrow(/^rates\.md:12: a heading needs words/));

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
