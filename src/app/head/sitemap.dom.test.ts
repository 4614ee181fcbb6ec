import { describe, expect, it } from "vitest";
import { fakeApi } from "../guards/testing/guest-context.ts";
import { matchRoute, routes } from "../router/route-table.ts";
import { sitemapXml } from "./sitemap.ts";

const origin = "https://wherry.example";
const read = async () => {
  const api = fakeApi({ pairs: () => [{ from: "eth", to: ["btc", "usdt-erc20"] }] });
  return new DOMParser().parseFromString(await sitemapXml(origin, api), "application/xml");
};

describe("the sitemap", () => {
  it("lists every page that search engines may keep, in every language", async () => {
    const addresses = [...(await read()).querySelectorAll("loc")].map(({ textContent }) => textContent ?? "");
    for (const path of ["/exchange-eth-btc", "/ru/exchange-eth-btc", "/exchange-eth-usdt-erc20", "/ru"])
      expect(addresses).toContain(origin + path);
    expect(addresses[0]).toBe(`${origin}/`);
    const listed = new Set(
      addresses
        .map((address) => matchRoute(address.slice(origin.length).replace(/^\/ru(?=\/|$)/, "") || "/"))
        .map((match) => match?.route.name),
    );
    expect(listed).toEqual(new Set(routes.filter(({ isIndexed }) => isIndexed).map(({ name }) => name)));
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
