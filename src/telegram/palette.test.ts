import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Colour, contrast, luminance, mix, parseColour, withContrast } from "../shared/ui/graphics/colour.ts";
import { paletteOf, type ThemeParams } from "./palette.ts";
import { DAY, NIGHT } from "./testing/sample-palettes.ts";

const TEXTS = ["--text", "--text-2", "--text-3", "--accent-text", "--danger"] as const;
const BACKGROUNDS = ["--surface", "--bg", "--surface-2", "--surface-3"] as const;

const tokensOf = (params: ThemeParams) => {
  const { tokens } = paletteOf(params);
  return (name: `--${string}`): Colour => parseColour(tokens[name]) ?? [NaN, NaN, NaN];
};

function unreadable(params: ThemeParams): string[] {
  const token = tokensOf(params);
  const pairs = [
    ...TEXTS.flatMap((text) => BACKGROUNDS.map((ground) => [text, ground] as const)),
    ["--accent-text", "--accent-soft"] as const,
    ["--text", "--accent-soft"] as const,
    ["--text-2", "--accent-soft"] as const,
    ["--danger", "--danger-soft"] as const,
    ["--on-accent", "--accent-hover"] as const,
    ["--on-accent", "--accent-press"] as const,
    ["--on-accent", "--accent"] as const,
  ];
  return pairs
    .filter(([text, ground]) => !(contrast(token(text), token(ground)) >= 4.5))
    .map(([text, ground]) => `${text} on ${ground}: ${contrast(token(text), token(ground)).toFixed(2)}`);
}

describe("contrast, by WCAG's own examples", () => {
  test.each([
    ["#000000", "#ffffff", 21],
    ["#777777", "#ffffff", 4.48],
    ["#707579", "#efeff4", 4.06],
    ["#a2acb0", "#ffffff", 2.32],
  ])("%s on %s is %d", (one, other, ratio) => {
    const [a, b] = [parseColour(one), parseColour(other)] as [Colour, Colour];
    expect(contrast(a, b)).toBeCloseTo(ratio, 2);
    expect(contrast(b, a)).toBe(contrast(a, b));
  });
});

describe("a colour", () => {
  test("that can be read stays what it is", () => {
    expect(withContrast([0, 0, 0], [[255, 255, 255]], [0, 0, 0])).toEqual([0, 0, 0]);
  });

  test("that can't is mixed towards the text by as few tenths as it takes", () => {
    const hint = parseColour(DAY["hint_color"]) as Colour;
    const ground = parseColour(DAY["secondary_bg_color"]) as Colour;
    expect(withContrast(hint, [ground], [0, 0, 0])).toEqual(mix(hint, [0, 0, 0], 0.1));
  });
});

describe("our tokens under Telegram's theme", () => {
  test.each([
    ["day", DAY, "light"],
    ["night", NIGHT, "dark"],
    ["nothing at all", {}, "light"],
    ["what is no colour", { bg_color: "red", text_color: "#12" }, "light"],
    [
      "text in the background's colour",
      { bg_color: "#808080", text_color: "#808080", secondary_bg_color: "#808080" },
      "light",
    ],
    ["backgrounds of opposite brightness", { section_bg_color: "#ffffff", secondary_bg_color: "#000000" }, "light"],
    [
      "yellow on white",
      { ...DAY, text_color: "#ffff00", accent_text_color: "#ffff00", button_color: "#ffff00" },
      "light",
    ],
  ])("of %s can be read", (_, params, appearance) => {
    expect(unreadable(params)).toEqual([]);
    expect(paletteOf(params).appearance).toBe(appearance);
  });

  test("of any colours whatever can be read", () => {
    const colour = fc.option(
      fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
      { nil: undefined },
    );
    const palette = fc.record(Object.fromEntries(Object.keys(DAY).map((name) => [name, colour])));
    fc.assert(
      fc.property(palette, (params) => {
        expect(unreadable(params)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("keep what Telegram gave where it can be read", () => {
    const token = tokensOf(DAY);
    expect(token("--text")).toEqual([0, 0, 0]);
    expect(token("--surface")).toEqual([255, 255, 255]);
    expect(token("--bg")).toEqual(parseColour("#efeff4"));
    expect(luminance(token("--accent"))).toBeLessThan(luminance(parseColour("#2481cc") as Colour));
  });
});
