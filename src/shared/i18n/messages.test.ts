import { afterEach, describe, expect, it, vi } from "vitest";
import { loadMessages, messagesModule } from "./messages.ts";

vi.mock("./ru-order.ts", () => {
  throw new Error("the chunk is gone");
});
afterEach(() => vi.restoreAllMocks());

describe("the words of a language", () => {
  it.each([
    ["en", "shared", ["common", "exchange"], "src/shared/i18n/en.ts"],
    ["ru", "shared", ["common", "exchange"], "src/shared/i18n/ru.ts"],
    ["ru", "steps", ["exchange"], "src/shared/i18n/ru-steps.ts"],
    ["ru", "home", ["home"], "src/shared/i18n/ru-home.ts"],
    ["en", "order", ["order"], "src/shared/i18n/en-order.ts"],
    ["ru", "telegram", ["telegram"], "src/shared/i18n/ru-telegram.ts"],
  ] as const)("%s, %s hold %j of that language alone", async (locale, part, namespaces, module) => {
    const messages = await loadMessages(locale, part);
    expect(Object.keys(messages)).toEqual(namespaces);
    expect(/[а-яё]/i.test(JSON.stringify(messages))).toBe(locale === "ru");
    expect(messagesModule(locale, part)).toBe(module);
  });

  it("that can't be loaded are told as spec §8 says", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    await expect(loadMessages("ru", "order")).rejects.toThrow(/^Failed loading locale \(ru\): ./);
    expect(warn).toHaveBeenCalledWith("Failed to load messages for locale", "ru");
  });
});
