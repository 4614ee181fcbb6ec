import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { seoAnswerSchema } from "#contract/site/site.ts";
import { openSeoTexts } from "./seo-texts.ts";

describe("SEO texts", () => {
  const seoTexts = openSeoTexts();

  it.each(["home", "popular", "exchange"])("of %s are translation keys, in each language, cards as JSON", (page) => {
    const [en, ru] = [seoTexts(page, "en") ?? {}, seoTexts(page, "ru") ?? {}];
    expect(Object.keys(seoAnswerSchema.parse(en))).toEqual(
      ["title", "description", "openGraph", "twitter"].map((key) => `seo.${page}.${key}`),
    );
    expect(Object.keys(ru)).toEqual(Object.keys(en));
    for (const key of Object.keys(en)) expect(ru[key]).not.toBe(en[key]);
    expect(JSON.parse(en[`seo.${page}.openGraph`] ?? "")).toEqual({
      title: expect.any(String),
      description: en[`seo.${page}.description`],
    });
  });

  it.each(["nothing", "toString", "__proto__"])("of %s are none", (page) => expect(seoTexts(page, "en")).toBeNull());
});

describe("the files of SEO texts", () => {
  function openWith(text: string) {
    const folder = mkdtempSync(join(tmpdir(), "wherry-seo-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const locale of ["en", "ru"]) mkdirSync(join(folder, locale, "seo"), { recursive: true });
    writeFileSync(join(folder, "en/seo/home.json"), text);
    return openSeoTexts(folder);
  }

  it("may lack a key: what is made of it is missing too, for the check of the page to find", () => {
    const texts = openWith('{"title": "T", "shareTitle": "S"}');
    expect([texts("home", "en"), texts("home", "ru")]).toEqual([{ "seo.home.title": "T" }, null]);
  });

  it.each(["{", '{"title": 1}', '{"titel": "T"}'])("that read %j are refused by name", (text) =>
    expect(() => openWith(text)).toThrow(/en\/seo\/home\.json/),
  );
});
