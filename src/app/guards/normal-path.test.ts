import { describe, expect, it } from "vitest";
import { normalisePath } from "./normal-path.ts";

describe("the one form of an address (spec §2, guard 4)", () => {
  it.each([
    ["/", null],
    ["/ru", null],
    ["/exchange-eth-btc?amount=1", null],
    ["/?ref=a//b/", null],
    ["//", "/"],
    ["/ru/", "/ru"],
    ["//ru///exchange-a-b//?x=1", "/ru/exchange-a-b?x=1"],
    ["/ua", "/uk"],
    ["/ua/price/", "/uk/price"],
    ["/uae", null],
    ["//evil.example/", "/evil.example"],
    ["/\\evil.example", "/evil.example"],
    ["/order/a/?destinationAddress=0x1", "/order/a?destinationAddress=0x1"],
    ["/#questions//", null],
    ["/ru/#questions", "/ru#questions"],
    ["/ua//price/?a=1//#b/", "/uk/price?a=1//#b/"],
    ["/price/%62t%63?a=%62", "/price/btc?a=%62"],
    ["/exchange-eth-usdt%2Derc20", "/exchange-eth-usdt-erc20"],
    ["/%75a/price", "/uk/price"],
    ["/price/%252562", null],
    ["/blog/page1", null],
    ["/blog/page1/", "/blog"],
    ["/ru//blog/guides/page1?a=1", "/ru/blog/guides?a=1"],
    ["/blog/page11/", "/blog/page11"],
    ["/docs/page1/", "/docs/page1"],
    ["/blog/%2f%2e%d0%b9%zz", null],
  ])("turns %s into %s", (url, normal) => {
    expect(normalisePath(url)).toBe(normal);
  });

  it("never leads to another host", () => {
    for (const url of ["//evil.example//", "/\\/evil.example/", "///\\evil.example", "\\\\evil.example"]) {
      const target = new URL(normalisePath(url) ?? url, "https://wherry.example");
      expect(target.host).toBe("wherry.example");
    }
  });
});
