import { describe, expect, it } from "vitest";
import { ContentError, parseArticle } from "./article-file.ts";

const LINES = [
  "title: Fees",
  "description: What an exchange costs.",
  "category: exchanging",
  "author: Wherry",
  "publishedAt: 2026-01-02",
];
const fileOf = (lines: readonly string[], text = "Text.") => `---\n${lines.join("\n")}\n---\n${text}\n`;
const read = (text: string, slug = "fees") => parseArticle(`content/docs/en/${slug}.md`, slug, text);
const changed = (line: number, to: string) => fileOf(LINES.map((old, index) => (index === line ? to : old)));

describe("an article's file", () => {
  it("is its front matter with defaults, its Markdown, and where that begins", () => {
    expect(read(fileOf(LINES))).toEqual({
      file: "content/docs/en/fees.md",
      slug: "fees",
      title: "Fees",
      description: "What an exchange costs.",
      category: "exchanging",
      tags: [],
      keywords: [],
      author: "Wherry",
      publishedAt: "2026-01-02",
      updatedAt: null,
      order: 0,
      cover: null,
      draft: false,
      markdown: "Text.\n",
      firstLine: 8,
      keyLines: { title: 2, description: 3, category: 4, author: 5, publishedAt: 6 },
    });
  });

  it("may begin with a byte order mark, and have tabs and emoji", () => {
    expect(read(`\uFEFF${fileOf(LINES, "a\tb\r\n🚣🏽‍♀️")}`)).toMatchObject({
      title: "Fees",
      markdown: "a\tb\r\n🚣🏽‍♀️\n",
      firstLine: 8,
    });
  });

  it("may contain a line --- in its text", () => {
    expect(read(fileOf(LINES, "a\n\n---\n\nb")).markdown).toBe("a\n\n---\n\nb\n");
  });

  it.each([
    ["no front matter", "Text.", /^content\/docs\/en\/fees\.md:1: the front matter/],
    ["front matter below text", `Text.\n${fileOf(LINES)}`, /fees\.md:1: the front matter/],
    ["no end of its front matter", "---\ntitle: Fees\n", /fees\.md:1: the front matter/],
    ["what is not YAML", changed(1, "description: [a"), /fees\.md:[3-7]: /],
    ["a key twice", changed(1, "title: Again"), /fees\.md:3: .*unique/],
    ["an unknown key", fileOf([...LINES, "colour: red"]), /fees\.md:7: front matter: .*colour/],
    ["no title", fileOf(LINES.slice(1)), /fees\.md:2: title: /],
    ["an empty title", changed(0, 'title: " "'), /fees\.md:2: title: /],
    ["a date that is none", changed(4, "publishedAt: 2026-02-30"), /fees\.md:6: publishedAt: /],
    ["a category that is no segment", changed(2, "category: ../x"), /fees\.md:4: category: /],
    [
      "an update before its publication",
      fileOf([...LINES, "updatedAt: 2026-01-01"]),
      /fees\.md:7: updatedAt: is before/,
    ],
    ["a control character in its title", changed(0, 'title: "Bell \\u0007"'), /fees\.md:2: title: has a character/],
    ["a sign that turns the text around", changed(0, 'title: "a\\u202Eb"'), /fees\.md:2: title: has a character/],
    ["half a letter", changed(0, 'title: "a\\ud83d"'), /fees\.md:2: title: has a character/],
    ["a control character in its text", fileOf(LINES, "a\n\nb\u0007"), /fees\.md:10: .* U\+0007/],
    ["another encoding than UTF-8", fileOf(LINES, "a\n\uFFFD"), /fees\.md:9: .* U\+FFFD/],
    ["quotes without end", fileOf(LINES, `a\n${">".repeat(20_000)}`), /fees\.md:9: quotes or lists are more than 32/],
    ["lists without end", fileOf(LINES, "- ".repeat(40)), /fees\.md:8: quotes or lists are more than 32/],
    ["a text without end", fileOf(LINES, "word ".repeat(200_000)), /fees\.md:1: is longer than/],
    ["a tag with markup", fileOf([...LINES, 'tags: ["<b>"]']), /fees\.md:7: tags\.0: /],
    ["a tag of other signs", fileOf([...LINES, "tags: [C++]"]), /fees\.md:7: tags\.0: a tag is up to 32 letters/],
  ])("with %s is refused by name and line", (_, text, message) => {
    expect(() => read(text)).toThrow(ContentError);
    expect(() => read(text)).toThrow(message);
  });

  it.each(["Fees", "my_fees", "a/../b", "page2", "guides/page10", "fees-", ""])("can't have the address %j", (slug) =>
    expect(() => read(fileOf(LINES), slug)).toThrow(/can't be an address/),
  );
  it.each(["fees", "guides/first-exchange", "page", "pages2", "2026/page"])("can have the address %j", (slug) =>
    expect(read(fileOf(LINES), slug).slug).toBe(slug),
  );
});
