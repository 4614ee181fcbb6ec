import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTranslator } from "../../shared/i18n/translator.ts";
import type { GuardWorld } from "./guard.ts";
import { readSeoTexts, seoMeta } from "./seo-meta.ts";
import { aWorld, fakeApi, moveTo } from "./testing.ts";

const texts = {
  "seo.home.title": "Title",
  "seo.home.description": "Description",
  "seo.home.openGraph": '{"title":"Card"}',
  "seo.home.twitter": '{"title":"Card"}',
};
const without = (key: string) => Object.fromEntries(Object.entries(texts).filter(([name]) => name !== key));

beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue(undefined));
afterEach(() => vi.restoreAllMocks());

function visit(url: string, answer: (() => unknown) | null, changes: Partial<GuardWorld> = {}) {
  const ask = vi.fn(answer ?? (() => Promise.reject(new Error("no answer"))));
  const words = createTranslator("en", {});
  const world = aWorld({ api: fakeApi({ seoTexts: ask }), words, ...changes });
  return { ask, words, run: () => seoMeta(moveTo(url), world) };
}

describe("guard 5 (spec §2)", () => {
  it("merges a known page's texts into the words, and asks again only after 24 hours", async () => {
    const seoFetchedAt = new Map<string, number>();
    const first = visit("/ru", () => texts, { seoFetchedAt });
    expect(await first.run()).toBeNull();
    expect(first.ask).toHaveBeenCalledWith({ body: { params: { page: "home", locale: "ru" } } });
    expect(first.words.optional("seo", "home.title")).toBe("Title");
    for (const [now, times] of [
      [86_399_999, 0],
      [86_400_000, 1],
    ] as const) {
      const later = visit("/ru", () => texts, { seoFetchedAt: new Map(seoFetchedAt), now });
      await later.run();
      expect([now, later.ask.mock.calls.length]).toEqual([now, times]);
    }
  });

  it.each([
    ["an unknown page", "/nothing", {}],
    ["an order's page, which search engines don't keep", "/order/abc", {}],
    ["the mini-app", "/", { isMiniApp: true, isSeoChecked: true }],
  ])("asks nothing for %s", async (_, url, changes) => {
    const { ask, run } = visit(url, null, changes);
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
    await expect(visit("/", answer, { isSeoChecked: true }).run()).rejects.toThrow(key);
    const unchecked = visit("/", answer);
    expect(await unchecked.run()).toBeNull();
    expect(unchecked.words.optional("seo", "home.title")).toBeNull();
    expect(console.warn).toHaveBeenCalled();
  });

  it("reads nothing of another page", () => {
    expect(readSeoTexts(texts, "exchange")).toHaveLength(4);
  });
});
