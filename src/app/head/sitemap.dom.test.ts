import { describe, expect, it } from "vitest";
import { CallError } from "../../shared/http/call-error.ts";
import { fakeApi } from "../guards/testing/guest-context.ts";
import { matchRoute, routes } from "../router/route-table.ts";
import { sitemapFiles } from "./sitemap.ts";

const origin = "https://wherry.example";
const files = async (maxUrls?: number) => {
  const api = fakeApi({
    instruments: () => [
      { slug: "eth", currencyTitle: "ETH", isPopular: true },
      { slug: "btc", currencyTitle: "BTC", isPopular: true },
      { slug: "doge", currencyTitle: "DOGE", isPopular: false },
      { slug: "usdt-erc20", currencyTitle: "USDT", isPopular: false },
    ],
    pairs: () => [{ from: "eth", to: ["btc", "usdt-erc20", "doge"] }],
    askedPairs: () => [{ from: "eth", to: "usdt-erc20", lastAt: "2026-11-20T12:00:00.000Z" }],
    prices: () => [{ symbol: "eth", slugs: ["eth"] }],
    content: (input) => articlesOf(input as { params: { section: string; locale: string } }),
  });
  return sitemapFiles(origin, api, maxUrls);
};
const parse = (xml: string | null = "") => new DOMParser().parseFromString(xml ?? "", "application/xml");
const textsOf = (xml: Document, name: string) =>
  [...xml.querySelectorAll(name)].map(({ textContent }) => textContent ?? "");
/** All files that the index lists, in one document. */
const read = async () => {
  const { "/sitemap.xml": index = "", ...listed } = await files();
  expect(textsOf(parse(index), "loc")).toEqual(Object.keys(listed).map((path) => origin + path));
  return parse(
    `<all>${Object.values(listed)
      .join("")
      .replaceAll(/<\?xml[^>]*>/g, "")}</all>`,
  );
};

/** One article of each section in both languages, and one of the docs in English alone. */
function articlesOf({ params: { section, locale } }: { params: { section: string; locale: string } }) {
  const both = {
    slug: "both",
    category: "guides",
    publishedAt: "2026-01-02",
    updatedAt: locale === "ru" ? "2026-03-04" : null,
  };
  const english = { slug: "guides/english", category: "guides", publishedAt: "2026-02-03", updatedAt: null };
  const items = [both, ...(section === "docs" && locale === "en" ? [english] : [])];
  return { items, total: items.length, categories: section === "blog" ? [{ slug: "guides" }] : [] };
}

describe("the sitemap", () => {
  it("lists every page that search engines may keep, in every language", async () => {
    const addresses = [...(await read()).querySelectorAll("loc")].map(({ textContent }) => textContent ?? "");
    for (const path of ["/exchange-eth-btc", "/ru/exchange-eth-btc", "/exchange-eth-usdt-erc20", "/ru"])
      expect(addresses).toContain(origin + path);
    expect(addresses).not.toContain(`${origin}/exchange-eth-doge`);
    expect(addresses[0]).toBe(`${origin}/`);
    const listed = new Set(
      addresses
        .map((address) => matchRoute(address.slice(origin.length).replace(/^\/ru(?=\/|$)/, "") || "/"))
        .map((match) => match?.route.name),
    );
    expect(listed).toEqual(new Set(routes.filter(({ isIndexed }) => isIndexed).map(({ name }) => name)));
  });

  it("lists an article in the languages that have it alone, and names no other one", async () => {
    const entries = [...(await read()).querySelectorAll("url")].map((url) => [...url.children]);
    const of = (path: string) => entries.find(([loc]) => loc?.textContent === origin + path);
    expect(of("/ru/docs/both")).toBeDefined();
    expect(of("/ru/blog/guides")).toBeDefined();
    expect(of("/ru/docs/guides/english")).toBeUndefined();
    expect(
      of("/docs/guides/english")
        ?.slice(2)
        .map((link) => link.getAttribute("hreflang")),
    ).toEqual(["en", "x-default"]);
  });

  it("is without a file of articles while they can't be had, which the index goes on naming", async () => {
    const api = fakeApi({
      instruments: () => [],
      pairs: () => [],
      askedPairs: () => [],
      prices: () => [{ symbol: "eth", slugs: ["eth"] }],
      content: () => {
        throw new CallError({ kind: "coded", code: "ERR_SERVICE_UNAVAILABLE", message: "away" });
      },
    });
    const made = await sitemapFiles(origin, api);
    expect([made["/sitemaps/blog.xml"], made["/sitemaps/docs.xml"]]).toEqual([null, null]);
    expect(textsOf(parse(made["/sitemaps/price.xml"]), "loc")).toContain(`${origin}/price/eth`);
    expect(textsOf(parse(made["/sitemap.xml"]), "loc")).toEqual(
      expect.arrayContaining([`${origin}/sitemaps/pages.xml`, `${origin}/sitemaps/blog.xml`]),
    );
  });

  it("names each page's other languages", async () => {
    const [first] = (await read()).querySelectorAll("url");
    const links = [...(first?.children ?? [])]
      .slice(1)
      .map((link) => [link.getAttribute("hreflang"), link.getAttribute("href")]);
    expect(links).toEqual([
      ["en", `${origin}/`],
      ["ru", `${origin}/ru`],
      ["x-default", `${origin}/`],
    ]);
  });

  it("names the day of a change where it is known, and none elsewhere", async () => {
    const entries = [...(await read()).querySelectorAll("url")];
    const lastmodOf = (path: string) =>
      entries.find((url) => url.querySelector("loc")?.textContent === origin + path)?.querySelector("lastmod")
        ?.textContent;
    expect(lastmodOf("/docs/guides/english")).toBe("2026-02-03");
    // The pages of both languages are one page: their alternates change together.
    expect([lastmodOf("/blog/both"), lastmodOf("/ru/blog/both"), lastmodOf("/blog")]).toEqual(
      Array(3).fill("2026-03-04"),
    );
    expect(lastmodOf("/exchange-eth-usdt-erc20")).toBe("2026-11-20T12:00:00.000Z");
    expect([lastmodOf("/"), lastmodOf("/price/eth")]).toEqual([undefined, undefined]);
    const index = [...parse((await files())["/sitemap.xml"]).querySelectorAll("sitemap")].map((listed) =>
      [...listed.children].map(({ textContent }) => textContent),
    );
    expect(index).toContainEqual([`${origin}/sitemaps/blog.xml`, "2026-03-04"]);
    expect(index).toContainEqual([`${origin}/sitemaps/price.xml`]);
  });

  it("has further files where one would be too long", async () => {
    const {
      "/sitemaps/docs.xml": first,
      "/sitemaps/docs-2.xml": second,
      "/sitemaps/docs-3.xml": third,
    } = await files(4);
    expect([first, second, third].map((xml) => textsOf(parse(xml), "loc").length)).toEqual([4, 1, 0]);
  });
});
