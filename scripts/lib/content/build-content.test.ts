import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import MiniSearch from "minisearch";
import { articleIndexSchema, CONTENT_SECTIONS, ARTICLE_SEARCH } from "#contract/site/content.ts";
import { LOCALES } from "#contract/locale.ts";
import { root } from "../run.ts";
import { buildContent } from "./build-content.ts";

const target = mkdtempSync(join(tmpdir(), "wherry-content-"));
beforeAll(() => buildContent(join(root, "content"), target), 90_000);
afterAll(() => rmSync(target, { recursive: true }));

describe("the articles of this repository", () => {
  const parts = CONTENT_SECTIONS.flatMap((section) => LOCALES.map((locale) => [section, locale] as const));
  it.each(parts)("of %s in %s are built, each listed with its own file", (section, locale) => {
    const folder = join(target, section, locale);
    const { items } = articleIndexSchema.parse(JSON.parse(readFileSync(join(folder, "index.json"), "utf8")));
    const files = readdirSync(join(folder, "articles"), { recursive: true, encoding: "utf8" });
    expect(items.map(({ slug }) => `${slug}.json`).sort()).toEqual(
      files.filter((file) => file.endsWith(".json")).sort(),
    );
    expect(items.length).toBeGreaterThan(0);
  });

  it.each([
    ["docs", "en", "confirmatons", "confirmations"],
    ["docs", "ru", "подтвержд", "confirmations"],
    ["docs", "en", "xmr", "monero"],
    ["docs", "ru", "xmr", "monero"],
    ["docs", "en", "kyc", "late-and-wrong-deposits"],
    ["docs", "ru", "kyc", "late-and-wrong-deposits"],
    ["docs", "en", "api reference", "api"],
    ["docs", "ru", "справочник api", "api"],
    ["blog", "en", "monero", "why-monero-waits"],
    ["blog", "ru", "monero", "why-monero-waits"],
  ])("of the %s in %s are found by %s", (section, locale, words, slug) => {
    const text = readFileSync(join(target, section, locale, "search.json"), "utf8");
    const found = MiniSearch.loadJSON(text, ARTICLE_SEARCH).search(words, { prefix: true, fuzzy: 0.2 });
    expect(found[0]).toMatchObject({ slug, title: expect.any(String) });
  });
});
