import type { Appearance, Tokens } from "../shared/browser/theme.ts";
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
} from "../shared/ui/graphics/colour.ts";

/** Telegram's theme, by its own names: `bg_color: "#ffffff"`; a client may leave any of them out. */
export type ThemeParams = Readonly<Record<string, string | undefined>>;

type ButtonColours = { readonly backgroundColor: Hex; readonly textColor: Hex };

export type Palette = {
  readonly appearance: Appearance;
  /** Those that Telegram's theme may change. */
  readonly tokens: Tokens;
  /** The client's main button: as its theme has it, and where it is not active. */
  readonly button: Record<"active" | "inactive", ButtonColours>;
  /** The client's bars around the page. */
  readonly bars: { readonly header: Hex; readonly background: Hex; readonly bottom: Hex };
};

const MIN_CONTRAST = 4.5;
const STEP = 0.1;

/** Our tokens under Telegram's theme; every text colour has a contrast of at least 4.5:1 on every background it may have. */
export function paletteOf(params: ThemeParams): Palette {
  const themeColour = (name: string) => parseColour(params[name]);
  const surface = themeColour("section_bg_color") ?? themeColour("bg_color") ?? WHITE;
  const ink = contrast(WHITE, surface) > contrast(BLACK, surface) ? WHITE : BLACK;
  const isDark = ink === WHITE;
  // The page's background may not turn dark where the surface is light: one text colour has to be readable on both.
  const below = themeColour("secondary_bg_color");
  const bg = below !== null && contrast(ink, below) >= MIN_CONTRAST ? below : tinted(surface, ink, 0.04, ink);
  const text = withContrast(themeColour("text_color") ?? ink, [surface, bg], ink);
  const surface2 = tinted(surface, text, 0.04, ink);
  const surface3 = tinted(surface, text, 0.1, ink);
  const backgrounds = [surface, bg, surface2, surface3];
  const readable = (colour: Colour | null, on: readonly Colour[] = backgrounds) =>
    withContrast(colour ?? text, on, ink);
  const hint = readable(themeColour("hint_color"));
  const accentText = readable(themeColour("accent_text_color") ?? themeColour("link_color"));
  const accentSoft = tinted(surface, accentText, 0.12, ink);
  const danger = readable(themeColour("destructive_text_color"));
  const dangerSoft = tinted(surface, danger, 0.08, ink);
  const onAccent = themeColour("button_text_color") ?? WHITE;
  const accent = filled(themeColour("button_color") ?? accentText, onAccent, isDark);
  const colours = {
    "--surface": surface,
    "--bg": bg,
    "--surface-2": surface2,
    "--surface-3": surface3,
    "--line": themeColour("section_separator_color") ?? mix(surface, text, 0.12),
    "--line-strong": hint,
    "--text": readable(text, [...backgrounds, accentSoft, dangerSoft]),
    "--text-2": readable(themeColour("subtitle_text_color"), [...backgrounds, accentSoft]),
    "--text-3": hint,
    "--accent": accent.fill,
    "--accent-hover": awayFrom(accent.label, accent.fill, 0.08),
    "--accent-press": awayFrom(accent.label, accent.fill, 0.16),
    "--on-accent": accent.label,
    "--accent-text": readable(accentText, [...backgrounds, accentSoft]),
    "--accent-soft": accentSoft,
    "--accent-line": mix(surface, accentText, 0.45),
    "--danger": readable(danger, [...backgrounds, dangerSoft]),
    "--danger-soft": dangerSoft,
    "--focus": accentText,
  } as const;
  return {
    appearance: isDark ? "dark" : "light",
    tokens: Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, toHex(colour)])),
    button: {
      active: { backgroundColor: toHex(themeColour("button_color") ?? accent.fill), textColor: toHex(onAccent) },
      inactive: { backgroundColor: toHex(surface3), textColor: toHex(hint) },
    },
    bars: {
      header: toHex(surface),
      background: toHex(bg),
      bottom: toHex(themeColour("bottom_bar_bg_color") ?? surface),
    },
  };
}

type Filled = { readonly fill: Colour; readonly label: Colour };

/** A filled button is darkened in a light theme and lightened in a dark one until its label is readable. */
function filled(fill: Colour, label: Colour, isDark: boolean): Filled {
  for (let step = 0; step <= 10; step += 1) {
    const candidate = mix(fill, isDark ? WHITE : BLACK, step * STEP);
    if (contrast(candidate, label) >= MIN_CONTRAST) return { fill: candidate, label };
  }
  return { fill, label: contrast(fill, BLACK) > contrast(fill, WHITE) ? BLACK : WHITE };
}
