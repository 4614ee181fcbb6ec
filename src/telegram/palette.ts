import { type Colour, contrast, type Hex, luminance, mix, readColour, toHex } from "./colour.ts";

/** Telegram's theme, by its own names: `bg_color: "#ffffff"`; a client may leave any of them out. */
export type ThemeParams = Readonly<Record<string, string | undefined>>;

export type Palette = {
  readonly appearance: "light" | "dark";
  /** Values of our own custom properties (ui.md §1, what Telegram's theme may change). */
  readonly tokens: Readonly<Record<`--${string}`, string>>;
  /** Around the page, so that no seam shows. */
  readonly bars: { readonly header: Hex; readonly background: Hex; readonly bottom: Hex };
};

const ENOUGH = 4.5;
const STEP = 0.1;
const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];

/** Our tokens under Telegram's theme; every text among them is at least 4.5:1 on whatever may lie below it. */
export function paletteOf(params: ThemeParams): Palette {
  const given = (name: string) => readColour(params[name]);
  const surface = given("section_bg_color") ?? given("bg_color") ?? WHITE;
  const ink = contrast(WHITE, surface) > contrast(BLACK, surface) ? WHITE : BLACK;
  const isDark = ink === WHITE;
  // The page's ground may not turn the other way: one ink has to be read on both.
  const below = given("secondary_bg_color");
  const bg = below !== null && contrast(ink, below) >= ENOUGH ? below : tinted(surface, ink, 0.04, ink);
  const text = guarded(given("text_color") ?? ink, [surface, bg], ink);
  const surface2 = tinted(surface, text, 0.04, ink);
  const surface3 = tinted(surface, text, 0.1, ink);
  const grounds = [surface, bg, surface2, surface3];
  const read = (colour: Colour | null, on: readonly Colour[] = grounds) => guarded(colour ?? text, on, ink);
  const hint = read(given("hint_color"));
  const accentText = read(given("accent_text_color") ?? given("link_color"));
  const accentSoft = tinted(surface, accentText, 0.12, ink);
  const danger = read(given("destructive_text_color"));
  const dangerSoft = tinted(surface, danger, 0.08, ink);
  const onAccent = given("button_text_color") ?? WHITE;
  const accent = filled(given("button_color") ?? accentText, onAccent, isDark);
  const colours = {
    "--surface": surface,
    "--bg": bg,
    "--surface-2": surface2,
    "--surface-3": surface3,
    "--line": given("section_separator_color") ?? mix(surface, text, 0.12),
    "--line-strong": hint,
    "--text": read(text, [...grounds, accentSoft, dangerSoft]),
    "--text-2": read(given("subtitle_text_color"), [...grounds, accentSoft]),
    "--text-3": hint,
    "--accent": accent.fill,
    "--accent-hover": away(accent, 0.08),
    "--accent-press": away(accent, 0.16),
    "--on-accent": accent.label,
    "--accent-text": read(accentText, [...grounds, accentSoft]),
    "--accent-soft": accentSoft,
    "--accent-line": mix(surface, accentText, 0.45),
    "--danger": read(danger, [...grounds, dangerSoft]),
    "--danger-soft": dangerSoft,
    "--focus": accentText,
  } as const;
  return {
    appearance: isDark ? "dark" : "light",
    tokens: Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, toHex(colour)])),
    bars: { header: toHex(surface), background: toHex(bg), bottom: toHex(given("bottom_bar_bg_color") ?? surface) },
  };
}

/** The colour itself, or mixed towards another in tenths until it can be read on every ground; in the end black or white. */
export function guarded(colour: Colour, grounds: readonly Colour[], towards: Colour): Colour {
  const isRead = (candidate: Colour) => grounds.every((ground) => contrast(candidate, ground) >= ENOUGH);
  for (let step = 0; step <= 10; step += 1) {
    const candidate = mix(colour, towards, step * STEP);
    if (isRead(candidate)) return candidate;
  }
  const worst = (candidate: Colour) => Math.min(...grounds.map((ground) => contrast(candidate, ground)));
  return worst(BLACK) > worst(WHITE) ? BLACK : WHITE;
}

/** A tint of the surface, as strong as the ink on it allows. */
function tinted(surface: Colour, over: Colour, share: number, ink: Colour): Colour {
  for (const part of [1, 0.5, 0.25]) {
    const candidate = mix(surface, over, share * part);
    if (contrast(candidate, ink) >= ENOUGH) return candidate;
  }
  return surface;
}

/** A pressed button goes away from its label's colour. */
const away = ({ fill, label }: Filled, share: number): Colour =>
  mix(fill, luminance(label) > luminance(fill) ? BLACK : WHITE, share);

type Filled = { readonly fill: Colour; readonly label: Colour };

/** A filled button is darkened in a light theme and lightened in a dark one until its label can be read. */
function filled(fill: Colour, label: Colour, isDark: boolean): Filled {
  for (let step = 0; step <= 10; step += 1) {
    const candidate = mix(fill, isDark ? WHITE : BLACK, step * STEP);
    if (contrast(candidate, label) >= ENOUGH) return { fill: candidate, label };
  }
  return { fill, label: contrast(fill, BLACK) > contrast(fill, WHITE) ? BLACK : WHITE };
}
