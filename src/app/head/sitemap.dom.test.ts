import { describe, expect, it } from "vitest";
import { fakeApi } from "../guards/testing/guest-context.ts";
import { matchRoute, routes } from "../router/route-table.ts";
import { sitemapXml } from "./sitemap.ts";

const origin = "https://wherry.example";
const read = async () => {
  const api = fakeApi({
    instruments: () => [
      { slug: "eth", currencyTitle: "ETH", isPopular: true },
      { slug: "btc", currencyTitle: "BTC", isPopular: true },
      { slug: "doge", currencyTitle: "DOGE", isPopular: false },
      { slug: "usdt-erc20", currencyTitle: "USDT", isPopular: false },
    ],
    pairs: () => [{ from: "eth", to: ["btc", "usdt-erc20", "doge"] }],
    askedPairs: () => [{ from: "eth", to: "usdt-erc20", lastAt: "2026-11-20T12:00:00.000Z" }],
    prices: () => [{ symbol: "eth" }],
    content: (input) => articlesOf(input as { params: { section: string; locale: string } }),
  });
  return new DOMParser().parseFromString(await sitemapXml(origin, api), "application/xml");
};

/** One article of each section in both languages, and one of the docs in English alone. */
function articlesOf({ params: { section, locale } }: { params: { section: string; locale: string } }) {
  const items = [{ slug: "both" }, ...(section === "docs" && locale === "en" ? [{ slug: "guides/english" }] : [])];
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
        ?.slice(1)
        .map((link) => link.getAttribute("hreflang")),
    ).toEqual(["en", "x-default"]);
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
});
