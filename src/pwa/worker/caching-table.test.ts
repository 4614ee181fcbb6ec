import { describe, expect, it } from "vitest";
import { pageKey, type Treatment, treatmentOf } from "./caching-table.ts";

const ORIGIN = "https://wherry.test";

const treatment = (address: string, { method = "GET", isNavigation = false } = {}): Treatment =>
  treatmentOf({ method, url: new URL(address, ORIGIN), isNavigation }, ORIGIN);

describe("the caching table", () => {
  it.each<[string, Treatment]>([
    ["/api/v1/health", "left alone"],
    ["/api/v2/orders/public/info?orderId=1", "left alone"],
    ["/dict/locales", "left alone"],
    ["/sandbox/pay", "left alone"],
    ["/metrics", "left alone"],
    ["/builds/latest.json?1", "left alone"],
    ["/sw.js", "left alone"],
    ["/manifest.ru.webmanifest", "left alone"],
    ["/icons/icon-512.png", "left alone"],
    ["/screenshots/en-order.webp", "left alone"],
    ["https://other.test/assets/index-1.js", "left alone"],
    ["/assets/index-1.js", "kept first"],
    ["/assets/messages/ru-1.js", "kept first"],
    ["/assets/reader-1.wasm", "kept first"],
    ["/icons/coins.svg", "this build's"],
    ["/exchange-eth-usdt-erc20", "left alone"],
  ])("a page that needs %s: %s", (address, expected) => {
    expect(treatment(address)).toBe(expected);
  });

  it.each<[string, Treatment]>([
    ["/", "network first"],
    ["/?source=pwa", "network first"],
    ["/ru", "network first"],
    ["/exchange-eth-usdt-erc20?amount=0.5", "network first"],
    ["/popular-exchanges", "network first"],
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
    ["/robots.txt", "left alone"],
    ["/api/openapi.json", "left alone"],
    ["/sandbox", "left alone"],
    ["https://other.test/", "left alone"],
  ])("a visit of %s: %s", (address, expected) => {
    expect(treatment(address, { isNavigation: true })).toBe(expected);
  });

  it("touches nothing that is sent", () => {
    for (const address of ["/", "/assets/index-1.js", "/order/abc"])
      expect(treatment(address, { method: "POST", isNavigation: true })).toBe("left alone");
  });
});

describe("the address that a page is kept under", () => {
  it.each([
    ["/?source=pwa", "/"],
    ["/?utm_source=a&utm_medium=b&gclid=c", "/"],
    ["/exchange-a-b?amount=2&source=shortcut#rates", "/exchange-a-b?amount=2"],
    ["/?ref=partner", "/?ref=partner"],
  ])("%s is %s", (address, expected) => {
    expect(pageKey(new URL(address, ORIGIN))).toBe(ORIGIN + expected);
  });
});
