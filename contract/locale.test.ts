import { describe, expect, test } from "vitest";
import { localeOfTag, localePath, LOCALES, splitLocale, toLocale } from "./locale.ts";

describe("a path's language prefix", () => {
  test.each([
    ["/", "en", "/"],
    ["/ru", "ru", "/"],
    ["/ru/exchange-eth-btc", "ru", "/exchange-eth-btc"],
    ["/rubles", "en", "/rubles"],
    ["/en", "en", "/en"],
  ] as const)("%s is %s of %s", (prefixed, locale, path) => {
    expect(splitLocale(prefixed)).toEqual({ locale, path });
    expect(localePath(locale, path)).toBe(prefixed);
  });

  test("is removed as it was added", () => {
    for (const locale of LOCALES)
      for (const path of ["/", "/order/a"]) expect(splitLocale(localePath(locale, path))).toEqual({ locale, path });
  });
});

test("an unknown language is the default one", () => {
  expect([toLocale("ru"), toLocale("de"), toLocale(null), toLocale(undefined)]).toEqual(["ru", "en", "en", "en"]);
  expect([localeOfTag("ru-RU"), localeOfTag("RU"), localeOfTag("run"), localeOfTag(undefined)]).toEqual([
    "ru",
    "ru",
    "en",
    "en",
  ]);
});
