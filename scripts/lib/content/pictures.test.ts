import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { articleTextSchema } from "#contract/site/content.ts";
import { faultsOf } from "../../../tests/a11y/valid-html.ts";
import { buildContent } from "./build-content.ts";

const folder = mkdtempSync(join(tmpdir(), "wherry-pictures-"));
const [content, target] = [join(folder, "content"), join(folder, "built")];
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string | Buffer) {
  mkdirSync(dirname(join(content, path)), { recursive: true });
  writeFileSync(join(content, path), text);
}
const article = (text: string, more = "") =>
  `---\ntitle: A\ndescription: B.\ncategory: one\nauthor: C\npublishedAt: 2026-01-01\n${more}---\n${text}\n`;
const photo = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const build = () => buildContent(content, target);
const htmlOf = (slug: string) =>
  articleTextSchema.parse(JSON.parse(readFileSync(join(target, `docs/en/articles/${slug}.json`), "utf8"))).html;

beforeAll(async () => {
  write("categories.yaml", "blog: {}\ndocs: { one: { en: One, ru: Один } }\n");
  for (const part of ["blog/en", "blog/ru", "docs/ru"]) mkdirSync(join(content, part), { recursive: true });
  write("pictures/boat.png", await photo(1_000, 500, "#123456").png().toBuffer());
  write("pictures/photo.jpg", await photo(40, 20, "#654321").withMetadata({ orientation: 6 }).jpeg().toBuffer());
  write("pictures/secret.webp", await photo(30, 30, "#abcdef").webp().toBuffer());
  write("docs/en/guides/shown.md", article('![A "boat" & a river](boat.png)\n\nText ![A photo](photo.jpg "At dusk").'));
  write("docs/en/draft.md", article("![Nothing to see](secret.webp)", "draft: true\n"));
  await build();
}, 60_000);

it("a picture is shown in each format and width, no larger than it is, with its size and its words, once it is near", () => {
  const html = htmlOf("guides/shown");
  const [, key = ""] = /\/article-pictures\/(boat-[0-9a-f]{10})-/.exec(html) ?? [];
  const set = (format: string) =>
    [480, 800, 1000].map((w) => `/article-pictures/${key}-${w}.${format} ${w}w`).join(", ");
  expect(html).toContain(
    `<p><picture><source type="image/avif" srcset="${set("avif")}" sizes="(min-width: 792px) 792px, 100vw">` +
      `<source type="image/webp" srcset="${set("webp")}" sizes="(min-width: 792px) 792px, 100vw">` +
      `<img src="/article-pictures/${key}-800.webp" alt="A &#x22;boat&#x22; &#x26; a river" width="1000" height="500" loading="lazy" decoding="async"></picture></p>`,
  );
  // Upright, as its camera was held.
  expect(html).toMatch(/<img src="[^"]*photo-\w+-20\.webp" alt="A photo" title="At dusk" width="20" height="40"/);
});

it("a text with pictures, footnotes, tables and code is valid HTML", async () => {
  const text =
    "A[^1] ![b](boat.png) c[^1]\n\n## D\n\n- e\n\n  ![f](photo.jpg)\n\n| g |\n|---|\n| h[^ж] |\n\n```sh\ni\n```\n\n[^1]: j\n\n[^ж]: k";
  write("docs/en/guides/whole.md", article(text));
  await build();
  const body = htmlOf("guides/whole");
  expect(
    await faultsOf(`<!doctype html><html lang="en"><head><title>A</title></head><body><h1>A</h1>${body}</body></html>`),
  ).toEqual([]);
  rmSync(join(content, "docs/en/guides/whole.md"));
});

it("the files that a page names are there, and none of a draft's", async () => {
  const files = readdirSync(join(target, "pictures")).sort();
  const named = Array.from(
    htmlOf("guides/shown").matchAll(/\/article-pictures\/([\w-]+\.(?:avif|webp))/g),
    ([, file = ""]) => file,
  );
  expect([...new Set(named)].sort()).toEqual(files);
  expect(files.filter((file) => file.startsWith("secret"))).toEqual([]);
  for (const file of files) {
    const { width } = await sharp(join(target, "pictures", file)).metadata();
    expect([file, width]).toEqual([file, Number(/-(\d+)\.\w+$/.exec(file)?.[1])]);
  }
});

it.each([
  [
    "of another site",
    "Text\n\n![x](https://example.com/huge.png)",
    /wrong\.md:10: the picture https:\/\/example\.com\/huge\.png is not shown/,
  ],
  ["that is not there", "![x](none.png)", /wrong\.md:8: the picture none\.png is not in content\/pictures/],
  ["that names a place on the site", "![x](/icons/logo.png)", /wrong\.md:8: the picture \/icons\/logo\.png/],
  ["in another folder", "![x](../../covers/boat.svg)", /wrong\.md:8: .* is not in content\/pictures/],
  ["without words", "![](boat.png)", /wrong\.md:8: the picture boat\.png needs words/],
  ["by reference", "![x][boat]\n\n[boat]: boat.png", /wrong\.md:8: write a picture as/],
])("a picture %s stops the build, and leaves what was there", async (_, text, message) => {
  write("docs/en/wrong.md", article(text));
  await expect(build()).rejects.toThrow(message);
  rmSync(join(content, "docs/en/wrong.md"));
  expect(existsSync(join(target, "docs/en/articles/guides/shown.json"))).toBe(true);
});

it("a file that is no picture stops the build by its name", async () => {
  write("pictures/broken.png", "no picture");
  await expect(build()).rejects.toThrow(/pictures\/broken\.png:1: can't be drawn: /);
  rmSync(join(content, "pictures/broken.png"));
});
