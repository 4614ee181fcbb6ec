import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { PictureFacts } from "./facts.ts";
import { layoutPicture, PICTURE } from "./layout.ts";

export type DrawPicture = (facts: PictureFacts) => Promise<Buffer>;

/** Draws pages' pictures as PNG. The fonts and both libraries are loaded with the first one: a start does not wait for them. */
export function createDrawing(coinSvg: (ticker: string) => string): DrawPicture {
  let tools: ReturnType<typeof loadTools> | null = null;
  return async (facts) => {
    tools ??= loadTools();
    const { satori, renderAsync, fonts } = await tools;
    const svg = await satori(layoutPicture(facts, coinSvg), { ...PICTURE, fonts });
    const drawn = await renderAsync(svg, { font: { loadSystemFonts: false } });
    return drawn.asPng();
  };
}

async function loadTools() {
  const [{ default: satori }, { renderAsync }, ...fonts] = await Promise.all([
    import("satori"),
    import("@resvg/resvg-js"),
    ...FONTS.map(async ({ name, weight, file }) => ({
      name,
      weight,
      style: "normal" as const,
      data: await readFile(fileURLToPath(file)),
    })),
  ]);
  return { satori, renderAsync, fonts };
}

/** Names of their own: satori looks for a letter in the second one where the first has none. */
const FONTS = [
  { name: "Inter", weight: 600, file: import.meta.resolve("@fontsource/inter/files/inter-latin-600-normal.woff") },
  { name: "Inter", weight: 700, file: import.meta.resolve("@fontsource/inter/files/inter-latin-700-normal.woff") },
  {
    name: "Inter Cyrillic",
    weight: 600,
    file: import.meta.resolve("@fontsource/inter/files/inter-cyrillic-600-normal.woff"),
  },
  {
    name: "Inter Cyrillic",
    weight: 700,
    file: import.meta.resolve("@fontsource/inter/files/inter-cyrillic-700-normal.woff"),
  },
] as const;
