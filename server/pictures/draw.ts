import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { PictureFacts } from "./facts.ts";
import { layoutPicture, PICTURE } from "./layout.ts";

export type DrawPicture = (facts: PictureFacts) => Promise<Buffer>;

const FONT_FILES = "@fontsource/inter/files/inter-";

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
    ...(["latin", "cyrillic"] as const).flatMap((script) =>
      ([600, 700] as const).map((weight) => font(script, weight)),
    ),
  ]);
  return { satori, renderAsync, fonts };
}

async function font(script: "latin" | "cyrillic", weight: 600 | 700) {
  const file = fileURLToPath(import.meta.resolve(`${FONT_FILES}${script}-${weight}-normal.woff`));
  const name = script === "latin" ? "Inter" : "Inter Cyrillic";
  return { name, data: await readFile(file), weight, style: "normal" as const };
}
