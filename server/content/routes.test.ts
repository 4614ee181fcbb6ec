import { describe, expect, it } from "vitest";
import { seoAnswerSchema } from "#contract/site.ts";
import { seoTexts } from "./routes.ts";

describe("SEO texts", () => {
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
