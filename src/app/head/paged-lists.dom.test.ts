import { expect, it } from "vitest";
import type { ArticleItem } from "#contract/site/content.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { allMessages } from "../../shared/i18n/all-messages.ts";
import { createI18n } from "../../shared/i18n/create-i18n.ts";
import type { Locale } from "#contract/locale.ts";
import { sampleInstrument } from "../../shared/testing/sample-instrument.ts";
import { fakeApi } from "../guards/testing/guest-context.ts";
import { parseLocation } from "../router/page-location.ts";
import { matchRoute } from "../router/route-table.ts";
import { headTags } from "./head.ts";
import { sitemapFiles } from "./sitemap.ts";

const ORIGIN = "https://wherry.example";
const i18n = { en: createI18n("en", allMessages("en")), ru: createI18n("ru", allMessages("ru")) };

/** As an operator's own blog: more articles in one language than in the other, and one category of a single page. */
const COUNTS: Readonly<Record<string, Readonly<Record<Locale, number>>>> = {
  coins: { en: 25, ru: 11 },
  safety: { en: 3, ru: 0 },
};
/** The first page of `coins`, which is named alike in both languages here. */
const NAMED_ALIKE = 1;
const LISTS = `/blog /blog/page2 /blog/page3 /blog/coins /blog/coins/page2 /blog/coins/page3 /blog/safety
  /ru/blog /ru/blog/page2 /ru/blog/coins /ru/blog/coins/page2
  /price /price?page=2 /price?page=3 /ru/price /ru/price?page=2 /ru/price?page=3`;
const articlesIn = (locale: Locale): ArticleItem[] =>
  Object.entries(COUNTS).flatMap(([category, count]) =>
    Array.from({ length: count[locale] }, (_, index) => ({
      slug: `${category}-${index + 1}`,
      title: `${category} ${index + 1}`,
      description: "About it.",
      category,
      tags: [],
      author: "Wherry",
      publishedAt: "2026-01-02",
      updatedAt: index === 1 ? "2026-02-03" : null,
      minutes: 1,
      cover: null,
    })),
  );

type Asked = {
  params: { section: string; locale: Locale };
  query: { slug?: string; category?: string; offset?: string; per_page?: string };
};
function content({ params: { section, locale }, query }: Asked) {
  const all = section === "blog" ? articlesIn(locale) : [];
  const article = all.find(({ slug }) => slug === query.slug);
  if (query.slug !== undefined && article === undefined)
    throw new CallError({ kind: "coded", code: "ERR_NOT_FOUND", message: "no such article" });
  if (article !== undefined)
    return {
      article: { ...article, html: "", toc: [], previous: null, next: null },
      translations: (["en", "ru"] as const).filter((of) => articlesIn(of).some(({ slug }) => slug === query.slug)),
      related: [],
    };
  const chosen = all.filter(({ category }) => query.category === undefined || category === query.category);
  const offset = Number(query.offset ?? 0);
  const slugs = [...new Set(all.map(({ category }) => category))];
  return {
    items: chosen.slice(offset, offset + Number(query.per_page ?? 20)),
    total: chosen.length,
    categories: slugs.map((slug) => ({ slug, title: slug, count: 1 })),
  };
}

const coins = Array.from({ length: 120 }, (_, index) => `coin-${index}`);
const api = fakeApi({
  instruments: () => coins.map((slug) => sampleInstrument(slug)),
  pairs: () => [],
  askedPairs: () => [],
  prices: () => coins.map((symbol) => ({ symbol, name: symbol, slugs: [symbol], priceUsd: "1", sparkline: [] })),
  content: (input) => content(input as Asked),
});

/** What the sitemap says of each list, by its address: the languages of its alternates. */
async function listed(): Promise<Map<string, Record<string, string>>> {
  const { "/sitemaps/blog.xml": blog, "/sitemaps/prices.xml": prices } = await sitemapFiles(ORIGIN, api);
  const xml = new DOMParser().parseFromString(
    `<all>${`${blog}${prices}`.replaceAll(/<\?xml[^>]*>/g, "")}</all>`,
    "application/xml",
  );
  return new Map(
    [...xml.querySelectorAll("url")].map((url) => {
      const [loc, ...rest] = [...url.children];
      const links = rest.filter(({ tagName }) => tagName.endsWith("link"));
      const alternates = links.map((link) => [link.getAttribute("hreflang") ?? "", link.getAttribute("href") ?? ""]);
      return [loc?.textContent ?? "", Object.fromEntries(alternates)];
    }),
  );
}

async function headAt(address: string) {
  const { path, locale, query } = parseLocation(address.slice(ORIGIN.length));
  const match = matchRoute(path);
  if (match === null) throw new Error(address);
  const { page: module } = await match.route.page();
  const loaded = await module.load({ ...match, path, query, locale, api } as never);
  if (loaded.kind !== "page") return loaded.kind;
  const view = { kind: "page" as const, status: 200 as const, data: loaded.data, module, ...match };
  const tags = headTags({ view, i18n: i18n[locale], path, query, origin: ORIGIN });
  const links = tags.map(({ attributes }) => attributes);
  return {
    title: tags.find(({ tag }) => tag === "title")?.text ?? "",
    canonical: links.find(({ rel }) => rel === "canonical")?.["href"],
    openGraph: links.flatMap(({ property, content: of }) => (/^(?:og:type|article:)/.test(property ?? "") ? [of] : [])),
    isIndexed: !links.some(({ name, content: of }) => name === "robots" && of === "noindex"),
    alternates: Object.fromEntries(links.flatMap(({ hreflang, href }) => (hreflang ? [[hreflang, href]] : []))),
  };
}

it("every page of a list is in the sitemap, and says of itself what the sitemap says", async () => {
  const sitemap = await listed();
  for (const [address, alternates] of sitemap)
    expect({ address, ...Object(await headAt(address)) }).toMatchObject({
      canonical: address,
      isIndexed: true,
      alternates,
    });
  const lists = [...sitemap.keys()]
    .map((address) => address.slice(ORIGIN.length))
    .filter((path) => !/-\d+$/.test(path));
  const titles = await Promise.all(lists.map(async (path) => Object(await headAt(ORIGIN + path)).title as string));
  expect(new Set(titles).size).toBe(lists.length - NAMED_ALIKE);
  expect(lists.toSorted()).toEqual(LISTS.split(/\s+/).toSorted());
});

it.each(["/blog/page4", "/ru/blog/page3", "/blog/coins/page4", "/blog/safety/page2", "/price?page=4"])(
  "%s is not there",
  async (path) => expect(await headAt(ORIGIN + path)).toBe("notFound"),
);

it("a page that is named twice is the first one", async () => {
  expect(await headAt(`${ORIGIN}/price?page=2&page=x`)).toMatchObject({ canonical: `${ORIGIN}/price?page=2` });
});

it("an article says that it is one, and its days; a list says neither", async () => {
  expect(await headAt(`${ORIGIN}/blog/coins-1`)).toMatchObject({ openGraph: ["article", "2026-01-02"] });
  expect(await headAt(`${ORIGIN}/ru/blog/coins-2`)).toMatchObject({
    openGraph: ["article", "2026-01-02", "2026-02-03"],
  });
  expect(await headAt(`${ORIGIN}/blog`)).toMatchObject({ openGraph: ["website"] });
});
