import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createI18n } from "../../shared/i18n/create-i18n.ts";
import type { GuardContext } from "./guard.ts";
import { seoMeta } from "./seo-meta.ts";
import { guestContext, fakeApi, navigationTo } from "./testing/guest-context.ts";

const texts = {
  "seo.home.title": "Title",
  "seo.home.description": "Description",
  "seo.home.openGraph": '{"title":"Card"}',
  "seo.home.twitter": '{"title":"Card"}',
};
const without = (key: string) => Object.fromEntries(Object.entries(texts).filter(([name]) => name !== key));

beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue(undefined));
afterEach(() => vi.restoreAllMocks());

function pageState(url: string, answer: (() => unknown) | null, changes: Partial<GuardContext> = {}) {
  const ask = vi.fn(answer ?? (() => Promise.reject(new Error("no answer"))));
  const i18n = createI18n("en", {});
  const context = guestContext({ api: fakeApi({ seoTexts: ask }), i18n, ...changes });
  return { ask, i18n, run: () => seoMeta(navigationTo(url), context) };
}

describe("guard 5 (spec §2)", () => {
  it("merges a known page's texts into the words, and asks again only after 24 hours", async () => {
    const seoFetchedAt = new Map<string, number>();
    const first = pageState("/ru", () => texts, { seoFetchedAt });
    expect(await first.run()).toBeNull();
    expect(first.ask).toHaveBeenCalledWith({ body: { params: { page: "home", locale: "ru" } } });
    expect(first.i18n.getResource("en", "seo", "home.title")).toBe("Title");
    for (const [now, times] of [
      [86_399_999, 0],
      [86_400_000, 1],
    ] as const) {
      const later = pageState("/ru", () => texts, { seoFetchedAt: new Map(seoFetchedAt), now });
      await later.run();
      expect([now, later.ask.mock.calls.length]).toEqual([now, times]);
    }
  });

  it.each([
    ["an unknown page", "/nothing", {}],
    ["an order's page, which search engines don't keep", "/order/abc", {}],
    ["the mini-app", "/", { isMiniApp: true, isSeoChecked: true }],
  ])("asks nothing for %s", async (_, url, changes) => {
    const { ask, run } = pageState(url, null, changes);
    expect(await run()).toBeNull();
    expect(ask).not.toHaveBeenCalled();
  });

  it.each([
    ["a missing key", () => without("seo.home.title"), "seo.home.title"],
    ["an empty text", () => ({ ...texts, "seo.home.description": " " }), "seo.home.description"],
    ["invalid JSON", () => ({ ...texts, "seo.home.twitter": "{" }), "seo.home.twitter"],
    ["JSON of another shape", () => ({ ...texts, "seo.home.openGraph": '{"title":1}' }), "seo.home.openGraph"],
    ["no answer", null, "seo.home.title"],
  ])("%s is fatal with the check and passed over without it", async (_, answer, key) => {
    await expect(pageState("/", answer, { isSeoChecked: true }).run()).rejects.toThrow(key);
    const unchecked = pageState("/", answer);
    expect(await unchecked.run()).toBeNull();
    expect(unchecked.i18n.getResource("en", "seo", "home.title")).toBeUndefined();
    expect(console.warn).toHaveBeenCalled();
  });

  it("reads nothing of another page", async () => {
    const keys = ["title", "description", "openGraph", "twitter"].map((key) => `seo.popular.${key}`).join(", ");
    await expect(pageState("/popular-exchanges", () => texts, { isSeoChecked: true }).run()).rejects.toThrow(keys);
  });
});
