import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import sharp from "sharp";
import { COVER_FORMATS, COVER_WIDTHS } from "#contract/site/covers.ts";
import { root } from "../run.ts";

/** Kept between builds: AVIF takes a second each. */
const CACHE = join(root, "node_modules/.cache/covers");

/** The drawings of a folder by their names, each with the path at which its pictures are served. */
export function readCovers(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const drawings = readdirSync(folder).filter((file) => file.endsWith(".svg"));
  return new Map(
    drawings.map((file) => {
      const hash = createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex")
        .slice(0, 10);
      return [basename(file, ".svg"), `/covers/${basename(file, ".svg")}-${hash}`];
    }),
  );
}

/** Writes each drawing to `target` in every width and format; those that an earlier build made are copied. */
export async function writeCovers(folder: string, target: string, cache = CACHE): Promise<void> {
  mkdirSync(target, { recursive: true });
  mkdirSync(cache, { recursive: true });
  for (const [name, path] of readCovers(folder))
    for (const width of COVER_WIDTHS)
      for (const format of COVER_FORMATS) {
        const file = `${basename(path)}-${width}.${format}`;
        if (!existsSync(join(cache, file))) await draw(join(folder, `${name}.svg`), join(cache, file), width, format);
        copyFileSync(join(cache, file), join(target, file));
      }
}

async function draw(drawing: string, file: string, width: number, format: (typeof COVER_FORMATS)[number]) {
  // An SVG is drawn at its own size times the density; twice the default keeps the widest one sharp.
  const picture = sharp(drawing, { density: 144 }).resize({ width });
  await (format === "avif" ? picture.avif({ quality: 60, effort: 3 }) : picture.webp({ quality: 84 })).toFile(file);
}
