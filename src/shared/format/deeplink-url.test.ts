import { describe, expect, test } from "vitest";
import { readDeeplink } from "#contract/deeplink.ts";
import { deeplinkUrl } from "./deeplink-url.ts";

const ORDER = "/order/4vJ9kQ2mZ8sT1xY7bN3cR6?destinationAddress=EQ__Zx___rT0kP-9aB";

describe("a link into the mini-app", () => {
  test.each([
    [
      "an order",
      ORDER,
      "https://t.me/a_bot",
      "https://t.me/a_bot?startapp=order___4vJ9kQ2mZ8sT1xY7bN3cR6___EQ__Zx___rT0kP-9aB",
    ],
    ["a pair", "/exchange-btc-eth", "https://t.me/a_bot/app", "https://t.me/a_bot/app?startapp=ex___btc-eth"],
    [
      "a referral",
      "/?ref=ann",
      "https://t.me/a_bot/app?mode=compact",
      "https://t.me/a_bot/app?mode=compact&startapp=ref___ann",
    ],
    ["a page without a code", "/orders", "https://t.me/a_bot", null],
    ["no mini-app", ORDER, null, null],
    ["one outside Telegram", ORDER, "https://wherry.example/app", null],
    ["one that only looks like it", ORDER, "https://t.me.evil.example/a_bot", null],
  ])("%s", (_, path, miniAppUrl, url) => {
    expect(deeplinkUrl(path, miniAppUrl)).toBe(url);
  });

  test("opens the page that it was made of", () => {
    const url = new URL(deeplinkUrl(ORDER, "https://t.me/a_bot") ?? "");
    expect(readDeeplink(url.searchParams.get("startapp") ?? "")).toBe(ORDER);
  });
});
