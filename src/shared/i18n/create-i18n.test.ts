import { afterEach, describe, expect, it, vi } from "vitest";
import { addMessages, createI18n, type Messages } from "./create-i18n.ts";

const messages = {
  common: {
    plain: "Market rate",
    deep: { er: "{{a}} of {{b}}, {{a}}" },
    files_one: "{{count}} файл",
    files_few: "{{count}} файла",
    files_many: "{{count}} файлов",
    files_other: "{{count}} файла",
  },
  order: { title: "Заявка {{reference}}" },
} as unknown as Messages;

type AnyT = (key: string, options?: object) => string;
const i18n = createI18n("ru", messages);
const t = i18n.getFixedT(null, "common") as unknown as AnyT;

afterEach(() => vi.restoreAllMocks());

describe("messages", () => {
  it("are ready at once, found by their path and interpolated", () => {
    expect(i18n.isInitialized).toBe(true);
    expect(t("plain")).toBe("Market rate");
    expect(t("deep.er", { a: 12, b: "50" })).toBe("12 of 50, 12");
    expect(t("title", { ns: "order", reference: "7KQ4" })).toBe("Заявка 7KQ4");
  });

  it("take values that look like markup, a pattern or a message as they are", () => {
    expect(t("deep.er", { a: "<b>$&", b: "{{a}}" })).toBe("<b>$& of {{a}}, <b>$&");
    expect(t("deep.er", { a: "$t(plain)", b: "&" })).toBe("$t(plain) of &, $t(plain)");
  });

  it.each([
    [1, "1 файл"],
    [3, "3 файла"],
    [5, "5 файлов"],
    [21, "21 файл"],
    [1.5, "1.5 файла"],
  ])("have the plural form of %d", (count, text) => expect(t("files", { count })).toBe(text));

  it("log a missing key and show it", () => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    expect(t("nothing.here")).toBe("nothing.here");
    expect(error).toHaveBeenCalledWith("no message for common:nothing.here in ru");
  });

  it("can be added to a namespace later", () => {
    const later = createI18n("en", {});
    addMessages(later, { seo: { home: { title: "{{a}}" } } });
    addMessages(later, { seo: { exchange: { title: "Pair" } } });
    expect(later.getResource("en", "seo", "home.title")).toBe("{{a}}");
    expect(later.getResource("en", "seo", "exchange.title")).toBe("Pair");
    expect(later.getResource("en", "seo", "order.title")).toBeUndefined();
  });
});
