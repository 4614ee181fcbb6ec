import { afterEach, describe, expect, it, vi } from "vitest";
import { createTranslator } from "./translator.ts";
import type { Messages } from "./messages.ts";

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

const translator = createTranslator("ru", messages);
const t = translator.of("common") as unknown as (key: string, options?: object) => string;

afterEach(() => vi.restoreAllMocks());

describe("words", () => {
  it("are found by their path and filled in", () => {
    expect(t("plain")).toBe("Market rate");
    expect(t("deep.er", { a: 12, b: "50" })).toBe("12 of 50, 12");
    expect(t("title", { ns: "order", reference: "7KQ4" })).toBe("Заявка 7KQ4");
  });

  it("fill in what looks like markup or a pattern as it is", () => {
    expect(t("deep.er", { a: "<b>$&", b: "{{a}}" })).toBe("<b>$& of {{a}}, <b>$&");
  });

  it.each([
    [1, "1 файл"],
    [3, "3 файла"],
    [5, "5 файлов"],
    [21, "21 файл"],
  ])("follow the plural of %i", (count, shown) => expect(t("files", { count })).toBe(shown));

  it("that are missing are told, and the key shows", () => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    expect(t("nothing.here")).toBe("nothing.here");
    expect(t("deep")).toBe("deep");
    expect(error).toHaveBeenCalledTimes(2);
  });

  it("can come later", () => {
    const late = createTranslator("en", {});
    late.add({ common: { plain: "Late" } });
    expect((late.of("common") as unknown as typeof t)("plain")).toBe("Late");
  });

  it("that come later stand beside those that are there, and may be none", () => {
    const late = createTranslator("en", {});
    late.add({ seo: { home: { title: "{{a}}" } } });
    late.add({ seo: { exchange: { title: "Pair" } } });
    expect(late.optional("seo", "home.title")).toBe("{{a}}");
    expect(late.optional("seo", "exchange.title")).toBe("Pair");
    expect(late.optional("seo", "order.title")).toBeNull();
  });

  it("come from a function that stays the same", () => {
    expect(translator.of("common")).toBe(translator.of("common"));
  });
});
