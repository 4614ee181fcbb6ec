import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Colour, contrast, type Hex, parseColour } from "../../../shared/ui/graphics/colour.ts";
import { accentStyle, accentTokens, GROUNDS } from "./accent.ts";

const colour = (hex: string): Colour => parseColour(hex) ?? [NaN, NaN, NaN];
const APPEARANCES = ["light", "dark"] as const;
const anyHex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number): Hex => `#${number.toString(16).padStart(6, "0")}`);

/** What of an accent's tokens can't be distinguished from its ground or read on it. */
function faults(accent: Hex, appearance: "light" | "dark"): string[] {
  const tokens = accentTokens(accent, appearance);
  const { "--text-3": weakest, ...grounds } = GROUNDS[appearance];
  const needs: [name: string, one: string, other: string, least: number][] = [
    ...(["--accent", "--accent-hover", "--accent-press"] as const).flatMap((fill) => [
      [`label on ${fill}`, tokens["--on-accent"], tokens[fill], 4.5] as [string, string, string, number],
      ...Object.entries(grounds).map(([name, ground]): [string, string, string, number] => [
        `${fill} on ${name}`,
        tokens[fill],
        ground,
        3,
      ]),
    ]),
    ...[...Object.entries(grounds), ["--accent-soft", tokens["--accent-soft"]] as const].map(
      ([name, ground]): [string, string, string, number] => [`text on ${name}`, tokens["--accent-text"], ground, 4.5],
    ),
    ["weak text on the tint", weakest, tokens["--accent-soft"], 4.5],
  ];
  return needs.filter(([, one, other, least]) => contrast(colour(one), colour(other)) < least).map(([name]) => name);
}

describe.each(APPEARANCES)("in the %s theme", (appearance) => {
  test("every accent can be seen and read", () => {
    fc.assert(
      fc.property(anyHex, (accent) => {
        expect(faults(accent, appearance)).toEqual([]);
      }),
      { examples: [["#ffffff"], ["#000000"], ["#ffff00"], ["#808080"], ["#0a746f"], ["#43c2b6"]], numRuns: 400 },
    );
  });
});

test.each<[accent: Hex, light: Hex, dark: Hex]>([
  // Our own stays as it is where it was made for.
  ["#0a746f", "#0a746f", accentTokens("#0a746f", "dark")["--accent"]],
  ["#43c2b6", accentTokens("#43c2b6", "light")["--accent"], "#43c2b6"],
])("%s", (accent, light, dark) => {
  expect(APPEARANCES.map((appearance) => accentTokens(accent, appearance)["--accent"])).toEqual([light, dark]);
});

test("white is darkened in the light theme, black lightened in the dark one", () => {
  expect(accentTokens("#ffffff", "light")["--accent"]).not.toBe("#ffffff");
  expect(accentTokens("#000000", "dark")["--accent"]).not.toBe("#000000");
});

test("the grounds are those of the style sheet", () => {
  const css = readFileSync("src/shared/ui/tokens.css", "utf8");
  const [light = "", dark = ""] = css.split('[data-theme="dark"] {');
  for (const [appearance, text] of [
    ["light", light],
    ["dark", dark],
  ] as const)
    for (const [name, value] of Object.entries(GROUNDS[appearance]))
      expect(new RegExp(`\\s${name}: (#\\w+);`).exec(text)?.[1], `${name} in ${appearance}`).toBe(value);
});

test("the style has nothing but tokens and colours", () => {
  expect(accentStyle("#ff0000")).toMatch(
    /^:root:root\{(?:--[a-z-]+:#[0-9a-f]{6};?)+\}:root\[data-theme="dark"\]\{(?:--[a-z-]+:#[0-9a-f]{6};?)+\}$/,
  );
});
