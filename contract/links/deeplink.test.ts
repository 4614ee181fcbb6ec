import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deeplinkReferrer, deeplinkUrl, readDeeplink, referralPath } from "./deeplink.ts";

const MAX_DEEPLINK = 512;

/** The start parameter of the link that opens a page; null where there is none. */
function deeplinkTo(path: string): string | null {
  const url = deeplinkUrl(path, "https://t.me/wherry_bot");
  return url === null ? null : new URL(url).searchParams.get("startapp");
}

const ID = "4vJ9kQ2mZ8sT1xY7bN3cR6";
const TON = "EQ__Zx___rT0kP-9aB_cD3eF4gH5iJ6kL7mN8oP9qR0sT1u";

const table: readonly (readonly [parameter: string, path: string])[] = [
  ["ex___btc-eth", "/exchange-btc-eth"],
  ["ex___usdt-erc20-ton", "/exchange-usdt-erc20-ton"],
  [`order___${ID}___0xAbC123`, `/order/${ID}?destinationAddress=0xAbC123`],
  [`order___${ID}___${TON}`, `/order/${ID}?destinationAddress=${TON}`],
  [`order___${ID}____MDphYi9j`, `/order/${ID}?destinationAddress=${encodeURIComponent("0:ab/c")}`],
  ["order___pending", "/order/pending"],
  ["price___btc", "/price/btc"],
  ["blog___first-swap", "/blog/first-swap"],
  ["blog", "/blog/"],
  ["docs___api", "/docs/api"],
  ["wallet", "/wallet/"],
  ["api", "/swap-api/"],
  ["widget", "/widget/"],
  ["cashback", "/cashback/"],
  ["how", "/how-it-works/"],
  ["law", "/for-competent-authorities/"],
  ["aff", "/affiliate"],
  ["me___wallet", "/profile/wallet"],
  ["ref___partner_1", "/?ref=partner_1"],
];

describe("a start parameter and its path (contract §5)", () => {
  test.each(table)("%s opens %s, which makes it again", (parameter, path) => {
    expect(readDeeplink(parameter)).toBe(path);
    expect(deeplinkTo(path)).toBe(parameter);
  });

  test("a code may end with its separator", () => {
    expect(readDeeplink("how___")).toBe("/how-it-works/");
  });
});

describe("whose link it is", () => {
  test.each([
    ["ref___7KQ4M2XD", "7KQ4M2XD"],
    ["ref___partner_1", "partner_1"],
    ["ref___", null],
    ["ref", null],
    ["ref___x&y", null],
    ["ex___btc-eth", null],
    ["order___pending", null],
    ["", null],
  ])("%s is that of %s", (parameter, referrerId) => {
    expect(deeplinkReferrer(parameter)).toBe(referrerId);
    if (referrerId !== null) expect(deeplinkTo(referralPath(referrerId))).toBe(parameter);
  });
});

describe("what names no page", () => {
  test.each([
    ["nothing", ""],
    ["an unknown code", "shop___btc"],
    ["a name that every object has", "constructor___x"],
    ["no pair", "ex"],
    ["another host", "blog___//evil.example"],
    ["a scheme", "blog___javascript:alert(1)"],
    ["a folder above", "docs___../profile"],
    ["a query of its own", "ref___x&destinationAddress=y"],
    ["an argument where there is none", "aff___.evil.example"],
    ["letters that glue to the path", "aff___x"],
    ["an order without an address", `order___${ID}`],
    ["an order with an empty address", `order___${ID}___`],
    ["a short order id", "order___abc___0x1"],
    ["an id with an underscore", "order___4vJ9kQ2mZ8sT1xY7bN3c_R6___0x1"],
    ["what is no base64url", `order___${ID}____A`],
    ["base64url that is no text", `order___${ID}____${"_".repeat(4)}`],
    ["base64url of nothing", `order___${ID}____`],
    ["base64url with spare bits", `order___${ID}____YR`],
    ["a line break in an address", `order___${ID}____YQpi`],
    ["more than 512 characters", `price___${"a".repeat(MAX_DEEPLINK)}`],
  ])("%s", (_, parameter) => {
    expect(readDeeplink(parameter)).toBeNull();
  });

  test.each([
    "/",
    "/popular-exchanges",
    "/affiliate/x",
    "/order/",
    `/order/${ID}`,
    `/order/${ID}?destinationAddress=%E0%A4%A`,
  ])("%s has no start parameter", (path) => {
    expect(deeplinkTo(path)).toBeNull();
  });

  test("an address that doesn't fit has none", () => {
    expect(deeplinkTo(`/order/${ID}?destinationAddress=${"a".repeat(MAX_DEEPLINK)}`)).toBeNull();
  });
});

describe("at the limit of 512 characters", () => {
  const price = "a".repeat(MAX_DEEPLINK - "price___".length);
  const order = (length: number) => `/order/${ID}?destinationAddress=${"a".repeat(length)}`;
  const room = MAX_DEEPLINK - `order___${ID}___`.length;

  test("a parameter that just fits is read and written, and one character more is neither", () => {
    expect(readDeeplink(`price___${price}`)).toBe(`/price/${price}`);
    expect(deeplinkTo(`/price/${price}`)).toBe(`price___${price}`);
    expect(deeplinkTo(order(room))).toHaveLength(MAX_DEEPLINK);
    expect(readDeeplink(deeplinkTo(order(room)) ?? "")).toBe(order(room));

    expect(readDeeplink(`price___${price}a`)).toBeNull();
    expect(deeplinkTo(`/price/${price}a`)).toBeNull();
    expect(deeplinkTo(order(room + 1))).toBeNull();
  });
});

describe("of any argument", () => {
  const id = fc.stringMatching(/^[A-Za-z0-9]{22,30}$/);
  const address = fc
    .oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/), fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }))
    .filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());

  test("an order's link gives back its id and its address", () => {
    fc.assert(
      fc.property(id, address, (orderId, to) => {
        const path = `/order/${orderId}?destinationAddress=${encodeURIComponent(to)}`;
        const parameter = deeplinkTo(path);
        if (parameter === null) return expect(encodeURIComponent(to).length).toBeGreaterThan(300);
        expect(parameter).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
        expect(readDeeplink(parameter)).toBe(path);
      }),
    );
  });

  test("a TON address keeps every underscore that it has, wherever it stands", () => {
    // 36 bytes as base64url; underscores are common enough to meet the separator.
    const ton = fc.stringMatching(/^[A-Za-z0-9_-]{48}$/);
    const crowded = fc.array(fc.constantFrom("_", "__", "___", "-", "E", "Q"), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        id,
        fc.oneof(
          ton,
          crowded.map((parts) => parts.join("")),
        ),
        (orderId, to) => {
          const path = `/order/${orderId}?destinationAddress=${to}`;
          expect(readDeeplink(deeplinkTo(path) ?? "")).toBe(path);
        },
      ),
    );
  });

  test("no parameter, however hostile, leaves the site", () => {
    const code = fc.constantFrom("ex", "order", "price", "blog", "docs", "wallet", "aff", "me", "ref", "__proto__", "");
    const argument = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "//evil.example",
        "javascript:alert(1)",
        "\\\\evil",
        "..",
        "@evil.example",
        "%2f%2fevil",
        "\u0000",
      ),
    );
    const origin = "https://wherry.example";
    fc.assert(
      fc.property(code, argument, (name, text) => {
        const path = readDeeplink(`${name}___${text}`);
        if (path === null) return;
        expect(path.startsWith("/")).toBe(true);
        expect(new URL(path, origin).origin).toBe(origin);
      }),
    );
  });
});

const ORDER_PAGE = "/order/4vJ9kQ2mZ8sT1xY7bN3cR6?destinationAddress=EQ__Zx___rT0kP-9aB";

describe("a link into the mini-app", () => {
  test.each([
    [
      "an order",
      ORDER_PAGE,
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
    ["no mini-app", ORDER_PAGE, null, null],
    ["one outside Telegram", ORDER_PAGE, "https://wherry.example/app", null],
    ["one that only looks like it", ORDER_PAGE, "https://t.me.evil.example/a_bot", null],
  ])("%s", (_, path, miniAppUrl, url) => {
    expect(deeplinkUrl(path, miniAppUrl)).toBe(url);
  });

  test("opens the page that it was made of", () => {
    const url = new URL(deeplinkUrl(ORDER_PAGE, "https://t.me/a_bot") ?? "");
    expect(readDeeplink(url.searchParams.get("startapp") ?? "")).toBe(ORDER_PAGE);
  });
});
