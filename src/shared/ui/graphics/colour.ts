/** sRGB, each part 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

const HEX = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** Parses `#rrggbb`; null for anything else. */
export function parseColour(text: string | undefined): Colour | null {
  const [, red, green, blue] = HEX.exec(text ?? "") ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

export type Hex = `#${string}`;

/** As `parseColour` reads it, each part rounded. */
export const toHex = (colour: Colour): Hex =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** Mixes `share` of `over`, 0 to 1, with `under`; rounded, so that the measured colour is the painted one. */
export const mix = (under: Colour, over: Colour, share: number): Colour => [
  Math.round(under[0] + (over[0] - under[0]) * share),
  Math.round(under[1] + (over[1] - under[1]) * share),
  Math.round(under[2] + (over[2] - under[2]) * share),
];

/**
 * WCAG 2.2, relative luminance: 0 to 1.
 * @internal Exported for its tests.
 */
export function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

export const BLACK: Colour = [0, 0, 0];
export const WHITE: Colour = [255, 255, 255];

/** WCAG 2.2: of text. */
const TEXT_CONTRAST = 4.5;
const STEP = 0.1;

/** The colour, mixed towards another in tenths until it has the contrast of text on every background; else black or white. */
export function withContrast(
  colour: Colour,
  backgrounds: readonly Colour[],
  towards: Colour,
  least = TEXT_CONTRAST,
): Colour {
  const isReadable = (candidate: Colour) => backgrounds.every((background) => contrast(candidate, background) >= least);
  for (let step = 0; step <= 10; step += 1) {
    const candidate = mix(colour, towards, step * STEP);
    if (isReadable(candidate)) return candidate;
  }
  const worst = (candidate: Colour) => Math.min(...backgrounds.map((background) => contrast(candidate, background)));
  return worst(BLACK) > worst(WHITE) ? BLACK : WHITE;
}

/** A tint of the surface, as strong as the contrast of the text on it allows. */
export function tinted(surface: Colour, over: Colour, share: number, text: Colour): Colour {
  for (const part of [1, 0.5, 0.25]) {
    const candidate = mix(surface, over, share * part);
    if (contrast(candidate, text) >= TEXT_CONTRAST) return candidate;
  }
  return surface;
}

/** A pressed button's fill moves away from its label's colour. */
export const awayFrom = (label: Colour, fill: Colour, share: number): Colour =>
  mix(fill, luminance(label) > luminance(fill) ? BLACK : WHITE, share);
