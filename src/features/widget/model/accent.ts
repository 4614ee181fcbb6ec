import {
  awayFrom,
  BLACK,
  type Colour,
  contrast,
  type Hex,
  mix,
  parseColour,
  tinted,
  toHex,
  WHITE,
  withContrast,
} from "../../../shared/ui/graphics/colour.ts";

type Appearance = "light" | "dark";
type Token =
  | "--accent"
  | "--accent-hover"
  | "--accent-press"
  | "--on-accent"
  | "--accent-text"
  | "--accent-soft"
  | "--accent-line"
  | "--focus";
export type AccentTokens = Readonly<Record<Token, Hex>>;

/** WCAG 2.2: of text, and of what marks a control. */
const TEXT = 4.5;
const CONTROL = 3;

const colour = (hex: Hex): Colour => {
  const parsed = parseColour(hex);
  if (parsed === null) throw new Error(`${hex} is no colour`);
  return parsed;
};

/**
 * What an accent may lie on, and the weakest text that may lie on its tint, as in tokens.css.
 *
 * @internal Exported for the test that compares them.
 */
export const GROUNDS = {
  light: {
    "--surface": "#ffffff",
    "--surface-2": "#f3f6f8",
    "--surface-3": "#e3e9ee",
    "--bg": "#edf1f4",
    "--text-3": "#566879",
  },
  dark: {
    "--surface": "#121e2b",
    "--surface-2": "#1a2938",
    "--surface-3": "#243546",
    "--bg": "#0a131d",
    "--text-3": "#93a6b8",
  },
} as const satisfies Record<Appearance, Record<string, Hex>>;

/**
 * A site's accent as our tokens. It is darkened in the light theme and lightened in the dark one as far as contrast asks for: a button
 * stands out at 3:1, and every text in the accent or on it is readable at 4.5:1.
 */
export function accentTokens(accent: Hex, appearance: Appearance): AccentTokens {
  const { "--text-3": weakest, ...grounds } = GROUNDS[appearance];
  const backgrounds = Object.values(grounds).map(colour);
  const [surface, text] = [colour(grounds["--surface"]), colour(weakest)];
  const ink = appearance === "light" ? BLACK : WHITE;
  const fill = withContrast(colour(accent), backgrounds, ink, CONTROL);
  const label = contrast(WHITE, fill) >= TEXT ? WHITE : BLACK;
  const soft = tinted(surface, fill, 0.12, text);
  const accentText = withContrast(fill, [...backgrounds, soft], ink);
  const away = (share: number) => {
    const moved = awayFrom(label, fill, share);
    return backgrounds.every((background) => contrast(moved, background) >= CONTROL) ? moved : fill;
  };
  return {
    "--accent": toHex(fill),
    "--accent-hover": toHex(away(0.08)),
    "--accent-press": toHex(away(0.16)),
    "--on-accent": toHex(label),
    "--accent-text": toHex(accentText),
    "--accent-soft": toHex(soft),
    "--accent-line": toHex(mix(surface, accentText, 0.45)),
    "--focus": toHex(accentText),
  };
}

/** The style that gives both themes the accent. */
export function accentStyle(accent: Hex): string {
  const rule = (selector: string, appearance: Appearance) =>
    `${selector}{${Object.entries(accentTokens(accent, appearance))
      .map(([name, value]) => `${name}:${value}`)
      .join(";")}}`;
  return rule(":root:root", "light") + rule(':root[data-theme="dark"]', "dark");
}
