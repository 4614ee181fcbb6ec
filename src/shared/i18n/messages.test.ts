import { afterEach, describe, expect, it, vi } from "vitest";
import { allMessages } from "./all-messages.ts";
import { createI18n } from "./create-i18n.ts";
import { loadMessages } from "./messages.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const answer =
  (body: unknown, status = 200) =>
  async () =>
    new Response(JSON.stringify(body), { status });

describe("messages of a locale", () => {
  it("are not requested when the instance has their namespaces", async () => {
    const request = vi.fn();
    vi.stubGlobal("fetch", request);
    await loadMessages(createI18n("en", allMessages("en")), ["common", "order"]);
    expect(request).not.toHaveBeenCalled();
  });

  it("are not requested by making an instance, which is ready at once", () => {
    const request = vi.fn();
    vi.stubGlobal("fetch", request);
    expect(createI18n("en", {})).toMatchObject({ isInitialized: true, language: "en" });
    expect(request).not.toHaveBeenCalled();
  });

  it("that can't be loaded fail with both texts of spec §8, and are requested again", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const i18n = createI18n("ru", {});
    const refused = vi.fn(answer("", 503));
    vi.stubGlobal("fetch", refused);
    await expect(loadMessages(i18n, ["order"])).rejects.toThrow("Failed loading locale (ru): HTTP 503");
    expect(warn.mock.calls).toEqual([["Failed to load messages for locale", "ru"]]);
    expect(refused).toHaveBeenCalledTimes(1);
    vi.stubGlobal("fetch", answer(allMessages("ru")));
    await loadMessages(i18n, ["order"]);
    expect(i18n.t("nav.exchange")).toBe("Обмен");
  });

  it("come in one request per locale, as messages.json of the language alone", async () => {
    const request = vi.fn(answer(allMessages("en")));
    vi.stubGlobal("fetch", request);
    const i18n = createI18n("en", { common: allMessages("en").common });
    await Promise.all([loadMessages(i18n, ["order"]), loadMessages(i18n, ["home"])]);
    await loadMessages(i18n, ["telegram"]);
    expect(request.mock.calls).toEqual([[expect.stringMatching(/^\/assets\/messages\/\w+\/en\/messages\.json$/)]]);
    expect(JSON.stringify(allMessages("en"))).not.toMatch(/[а-яё]/i);
  });
});
