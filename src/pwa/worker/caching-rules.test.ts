import { describe, expect, it } from "vitest";
import { pageKey, type CachingStrategy, cachingStrategyOf } from "./caching-rules.ts";

const ORIGIN = "https://wherry.test";

const strategy = (address: string, { method = "GET", isNavigation = false } = {}): CachingStrategy =>
  cachingStrategyOf({ method, url: new URL(address, ORIGIN), isNavigation }, ORIGIN);

describe("the caching table", () => {
  it.each<[string, CachingStrategy]>([
    ["/api/v1/health", "not handled"],
    ["/api/v2/orders/public/info?orderId=1", "not handled"],
    ["/dict/locales", "not handled"],
    ["/embed?from=btc&to=eth", "not handled"],
    ["/embed.js", "not handled"],
    ["/sandbox/pay", "not handled"],
    ["/metrics", "not handled"],
    ["/builds/latest.json?1", "not handled"],
    ["/sw.js", "not handled"],
    ["/manifest.ru.webmanifest", "not handled"],
    ["/icons/icon-512.png", "not handled"],
    ["/screenshots/en-order.webp", "not handled"],
    ["https://other.test/assets/index-1.js", "not handled"],
    ["/content/docs/en?slug=fees", "text network first"],
    ["/content/blog/ru?offset=0&per_page=10", "text network first"],
    ["/content/other", "not handled"],
    ["/assets/index-1.js", "cache first"],
    ["/assets/messages/1/ru/messages.json", "cache first"],
    ["/assets/reader-1.wasm", "cache first"],
    ["/icons/coins.svg", "precached"],
    ["/exchange-eth-usdt-erc20", "not handled"],
  ])("a page that needs %s: %s", (address, expected) => {
    expect(strategy(address)).toBe(expected);
  });

  it.each<[string, CachingStrategy]>([
    ["/", "network first"],
    ["/?source=pwa", "network first"],
    ["/ru", "network first"],
    ["/exchange-eth-usdt-erc20?amount=0.5", "network first"],
    ["/popular-exchanges", "network first"],
    ["/ru/docs/fees", "network first"],
    ["/nothing-here", "network first"],
    ["/order/abc?destinationAddress=0x1", "network or shell"],
    ["/ru/order/abc?destinationAddress=0x1", "network or shell"],
    ["/order/pending", "network or shell"],
    ["/orders", "network or shell"],
    ["/ru/orders", "network or shell"],
    ["/profile/keys", "network or shell"],
    ["/ru/profile", "network or shell"],
    ["/lk", "network or shell"],
    ["/?tgWebAppStartParam=price___btc", "network or shell"],
    ["/ru?a=1&tgWebAppData=x", "network or shell"],
    ["/#tgWebAppData=x", "network or shell"],
    ["/robots.txt", "not handled"],
    ["/api/openapi.json", "not handled"],
    ["/sandbox", "not handled"],
    ["https://other.test/", "not handled"],
  ])("a visit of %s: %s", (address, expected) => {
    expect(strategy(address, { isNavigation: true })).toBe(expected);
  });

  it("touches nothing that is sent", () => {
    for (const address of ["/", "/assets/index-1.js", "/order/abc"])
      expect(strategy(address, { method: "POST", isNavigation: true })).toBe("not handled");
  });
});

describe("the address that a page is cached under", () => {
  it.each([
    ["/?source=pwa", "/"],
    ["/?utm_source=a&utm_medium=b&gclid=c", "/"],
    ["/exchange-a-b?amount=2&source=shortcut#rates", "/exchange-a-b?amount=2"],
    ["/?ref=partner", "/?ref=partner"],
  ])("%s is %s", (address, expected) => {
    expect(pageKey(new URL(address, ORIGIN))).toBe(ORIGIN + expected);
  });
});
