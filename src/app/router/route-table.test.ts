import { describe, expect, it } from "vitest";
import { locationKey, parseLocation } from "./page-location.ts";
import { matchRoute } from "./route-table.ts";
import { withoutTrailingSlash } from "./normal-location.ts";

const named = (path: string) => {
  const match = matchRoute(path);
  return match === null ? null : [match.route.name, { ...match.params }];
};

describe("routes", () => {
  it.each([
    ["/", ["home", {}]],
    ["/popular-exchanges", ["popular", {}]],
    ["/docs/api", ["apiReference", {}]],
    ["/swap-api", ["swapApi", {}]],
    ["/popular-exchanges/eth", null],
    ["/exchange-eth-usdt-erc20", ["exchange", { pair: "eth-usdt-erc20" }]],
    ["/order/7KQ4M2XD7KQ4M2XD7KQ4M2XD", ["order", { id: "7KQ4M2XD7KQ4M2XD7KQ4M2XD" }]],
    ["/order/pending", ["order", { id: "pending" }]],
    ["/order/a%2Fb", ["order", { id: "a/b" }]],
    ["/orders", ["orders", {}]],
    ["/orders/a", null],
    ["/profile/info", ["profile", { name: "info" }]],
    ["/profile/affiliate-program", ["profile", { name: "affiliate-program" }]],
    ["/profile", null],
    ["/profile/info/a", null],
    ["/order/%E0%A4%A", null],
    ["/exchange-", null],
    ["/exchange", null],
    ["/exchange-a/b", null],
    ["/order", null],
    ["/order/a/b", null],
    ["/price", ["prices", {}]],
    ["/price/eth", ["price", { symbol: "eth" }]],
    ["/price/eth/a", null],
    ["/blog", ["blog", { below: "" }]],
    ["/blog/page2", ["blog", { below: "/page2" }]],
    ["/blog/guides/first/page2", ["blog", { below: "/guides/first/page2" }]],
    ["/blogs", null],
    ["/blog/a%2Fb", null],
    ["/docs", ["docs", { below: "" }]],
    ["/docs/fees", ["docs", { below: "/fees" }]],
    ["/how-it-works", ["info", { name: "how-it-works" }]],
    ["/terms", ["info", { name: "terms" }]],
    ["/terms/a", null],
    ["/support", ["support", {}]],
    ["/for-competent-authorities", ["authorities", {}]],
    ["/index.html", null],
  ])("%s", (path, expected) => expect(named(path)).toEqual(expected));
});

describe("a location", () => {
  it.each([
    ["/", "en", "/"],
    ["/ru", "ru", "/"],
    ["/ru/exchange-a-b", "ru", "/exchange-a-b"],
    ["/rules", "en", "/rules"],
    ["/uk/price", "en", "/uk/price"],
  ])("%s is %s of %s", (url, locale, path) => expect(parseLocation(url)).toMatchObject({ locale, path }));

  it("keeps its query", () => {
    expect(parseLocation("/ru?amount=1&ref=a%20b").query.get("ref")).toBe("a b");
  });

  it("is loaded again for another order or destination, not for another amount", () => {
    const key = (url: string) => locationKey(parseLocation(url));
    expect(key("/exchange-a-b?amount=1")).toBe(key("/exchange-a-b?amount=2"));
    expect(key("/exchange-a-b")).not.toBe(key("/exchange-a-c"));
    expect(key("/order/x?destinationAddress=1")).not.toBe(key("/order/x?destinationAddress=2"));
    expect(key("/order/x?destinationAddress=1&utm=1")).toBe(key("/order/x?destinationAddress=1"));
  });
});

describe("a link", () => {
  it.each([
    ["/ru/", "/ru"],
    ["/ru/?x=1", "/ru?x=1"],
    ["/", "/"],
    ["/?x=/", "/?x=/"],
    ["/ru/exchange-a-b", "/ru/exchange-a-b"],
  ])("%s is written as %s", (href, normal) => expect(withoutTrailingSlash(href)).toBe(normal));
});
