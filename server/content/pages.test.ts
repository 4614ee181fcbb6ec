import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGE_NAMES, PAGE_VALUES } from "#contract/site/pages.ts";
import { buildPage } from "../../scripts/lib/content/build-pages.ts";
import { buildContent } from "../../scripts/lib/content/build-content.ts";
import { root } from "../../scripts/lib/run.ts";
import { fillPage, openPages } from "./pages.ts";
import { NO_SITE_FILE, readSiteFile } from "./site-file.ts";

const folder = mkdtempSync(join(tmpdir(), "wherry-pages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const NONE = Object.fromEntries(PAGE_VALUES.map((name) => [name, null])) as Record<(typeof PAGE_VALUES)[number], null>;
const build = (markdown: string) =>
  buildPage(
    {
      file: "terms.md",
      slug: "terms",
      title: "Terms",
      description: "D",
      updatedAt: null,
      markdown,
      firstLine: 5,
      keyLines: {},
    },
    { locale: "en", addressOf: (slug) => (slug === "aml" ? "/aml" : null), pictures: new Map() },
  ).page;
const filled = (markdown: string, values: object = {}) => fillPage(build(markdown), { ...NONE, ...values });

describe("a page's text", () => {
  it("has the operator's particulars in their places, as text", () => {
    const { html } = filled("We are {{company.name}}.", { "company.name": "A <b> & Sons" });
    expect(html).toBe(
      "<p>We are A &#x3C;b> &#x26; Sons.</p>".replace("&#x3C;b>", "&lt;b&gt;").replace("&#x26;", "&amp;"),
    );
  });

  it("leaves out what the operator doesn't say, and the heading above it", () => {
    const page = filled(
      "A\n\nWe are {{company.name}}.\n\n## Law\n\nUnder {{law}}.\n\n## More\n\n### Why?\n\n{{email}}\n\n### How?\n\nSo.",
    );
    expect(page.html).toBe("<p>A</p>");
    expect(page.sections).toMatchObject([{ title: "More", questions: [{ title: "How?", text: "So." }] }]);
  });

  it.each([
    ["a value that nobody has", "{{company.nam}}", "terms.md:5: nothing has the name {{company.nam}}"],
    ["a link to nowhere", "[a](none.md)", "leads nowhere"],
    ["a value that nobody has further down", "a\n\nb {{nam}}", "terms.md:7: nothing has the name {{nam}}"],
    ["a question outside of sections", "a\n\n### Why?\n\nSo.", "terms.md:7: a question stands before the first ##"],
  ])("with %s stops the build", (_, markdown, message) => expect(() => build(markdown)).toThrow(message));
});

const FIGURES = {
  affiliatePercent: "30",
  cashbackPercent: "5",
  withdrawalMin: "10",
  earningsCoin: "USDT (TRON)",
  rateLockMinutes: "20",
  documentDays: "30",
  connectivityHost: "dns.ferry.example",
};

describe("the pages of this repository", () => {
  // The first build of a clone draws the covers too.
  beforeAll(() => buildContent(join(root, "content"), join(folder, "built")), 60_000);
  const open = (siteFile = NO_SITE_FILE) =>
    openPages({ folder: join(folder, "built/pages"), siteFile, figures: FIGURES, hasForms: true, rating: () => null });
  const full = () => {
    const particulars = {
      company: { name: "Example Ltd", registration: "No 7", address: "1 Quay" },
      email: "help@example.com",
      jurisdictions: {
        law: { en: "the law of Norway", ru: "право Норвегии" },
        excluded: { en: "Atlantis", ru: "Атлантида" },
      },
    };
    writeFileSync(join(folder, "full.json"), JSON.stringify(particulars));
    return readSiteFile(join(folder, "full.json"));
  };

  it.each(PAGE_NAMES.flatMap((name) => (["en", "ru"] as const).map((locale) => [name, locale] as const)))(
    "%s in %s has no empty place, whether the operator says anything or not",
    async (name, locale) => {
      for (const siteFile of [NO_SITE_FILE, full()]) {
        const page = await open(siteFile).find(locale, name);
        expect(JSON.stringify(page)).not.toMatch(/\{\{|undefined|>\s*<\/p>/);
        expect(page?.sections.length).toBeGreaterThan(0);
      }
    },
  );

  it("promise no form and keep a customer's own law, whatever the operator leaves out", async () => {
    for (const locale of ["en", "ru"] as const) {
      for (const name of ["support", "for-competent-authorities"] as const)
        expect(JSON.stringify(await open().find(locale, name))).not.toMatch(
          /form (?:below|on this page|that)|форм[ау] (?:ниже|на этой|котор)/,
        );
      expect(JSON.stringify(await open().find(locale, "terms"))).toMatch(
        /protect you as a consumer|защищают вас как потребителя/,
      );
    }
  });

  it("name the service that is asked whether a device is online, as it is configured", async () => {
    for (const locale of ["en", "ru"] as const) {
      const privacy = JSON.stringify(await open().find(locale, "privacy"));
      expect(privacy).toContain(FIGURES.connectivityHost);
      expect(privacy).not.toMatch(/cloudflare/i);
    }
  });

  it("name the company, the law and the countries that the operator names, and nothing of them else", async () => {
    const [none, named] = [await open().find("en", "terms"), await open(full()).find("en", "terms")];
    for (const text of ["Example Ltd", "No 7", "1 Quay", "help@example.com", "the law of Norway", "Atlantis"]) {
      expect(JSON.stringify(named)).toContain(text);
      expect(JSON.stringify(none)).not.toContain(text);
    }
    expect(none?.operator).toEqual({ company: null, email: null, links: [] });
    expect(none?.rating).toBeNull();
  });
});

describe("a site file", () => {
  const read = (content: unknown) => {
    writeFileSync(join(folder, "site.json"), typeof content === "string" ? content : JSON.stringify(content));
    return readSiteFile(join(folder, "site.json"));
  };
  const RATING = {
    source: "Trustpilot",
    url: "https://www.trustpilot.com/review/example.com",
    value: "4.7",
    count: 214,
  };

  it("may say nothing", () => expect(read({})).toEqual(NO_SITE_FILE));
  it("may name a rating that others gave", () => expect(read({ rating: RATING }).rating).toEqual(RATING));

  it.each([
    ["what is not JSON", "{", "can't be read as JSON"],
    ["an unknown field", { compny: {} }, "compny"],
    ["a company without a name", { company: { address: "1 Quay" } }, "company.name"],
    ["no email", { email: "help" }, "email"],
    ["a link that runs code", { links: [{ label: "Chat", url: "javascript:alert(1)" }] }, "links.0.url"],
    [
      "a link without TLS",
      { links: [{ label: "Chat", url: "http://a.b" }] },
      /links\.0\.url must be an https:\/\/ address$/,
    ],
    ["a law in one language", { jurisdictions: { law: { en: "the law of Norway" } } }, "jurisdictions.law.ru"],
    ["a rating above its scale", { rating: { ...RATING, value: "5.1" } }, "rating.value"],
    ["a rating of nobody", { rating: { ...RATING, count: 0 } }, "rating.count"],
    ["a rating without a source", { rating: { ...RATING, url: undefined } }, "rating.url"],
  ])("with %s stops the start", (_, content, field) => expect(() => read(content)).toThrow(field));
});
