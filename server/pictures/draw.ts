import { readFile } from "node:fs/promises";
import type { PictureFacts } from "./facts.ts";
import { FONT_NAMES, layoutPicture, PICTURE } from "./layout.ts";

export type DrawPicture = (facts: PictureFacts) => Promise<Buffer>;

/** Draws pages' pictures as PNG. The fonts and both libraries are loaded with the first one: a start does not wait for them. */
export function createDrawing(coinSvg: (ticker: string) => string): DrawPicture {
  let tools: ReturnType<typeof loadTools> | null = null;
  return async (facts) => {
    tools ??= loadTools();
    const { satori, renderAsync, fonts, letters } = await tools;
    const svg = await satori(layoutPicture(drawable(facts, letters), coinSvg), { ...PICTURE, fonts });
    const drawn = await renderAsync(svg, { font: { loadSystemFonts: false } });
    return drawn.asPng();
  };
}

/** What no font has would be drawn as a box: it is left out. */
function drawable({ label, title, lead, coins }: PictureFacts, letters: ReadonlySet<string>): PictureFacts {
  const known = (text: string) =>
    Array.from(text.normalize("NFC"), (letter) => (letters.has(letter) ? letter : " "))
      .join("")
      .replace(/\s+/g, " ")
      .trim();
  return { label: known(label), title: known(title), lead: known(lead), coins };
}

async function loadTools() {
  const [{ default: satori }, { renderAsync }, { default: fontkit }, ...fonts] = await Promise.all([
    import("satori"),
    import("@resvg/resvg-js"),
    import("@pdf-lib/fontkit"),
    ...FONTS.map(async ({ name, weight, file }) => ({
      name,
      weight,
      style: "normal" as const,
      data: await readFile(file),
    })),
  ]);
  const letters = new Set(
    fonts.flatMap(({ data }) => fontkit.create(data).characterSet).map((code) => String.fromCodePoint(code)),
  );
  return { satori, renderAsync, fonts, letters };
}

const WEIGHTS = [600, 700] as const;
const FILES = import.meta.resolve("@fontsource/inter/files/inter-latin-600-normal.woff");
/** Names of their own: satori looks for a letter in the next one where the first has none. */
const FONTS = Object.entries(FONT_NAMES).flatMap(([part, name]) =>
  WEIGHTS.map((weight) => ({ name, weight, file: new URL(`inter-${part}-${weight}-normal.woff`, FILES) })),
);
