import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import sharp from "sharp";
import { COVER_FORMATS } from "#contract/site/covers.ts";
import { root } from "../run.ts";
import { ContentError } from "./article-file.ts";

/** Kept between builds: AVIF takes a second each. */
export const PICTURE_CACHE = join(root, "node_modules/.cache/covers");

const ENDINGS = [".svg", ".png", ".jpg", ".jpeg", ".webp"];
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_PIXELS = 40_000_000;
/** An SVG's pixel is a pixel of the page at this density. */
const SVG_DENSITY = 72;

/** A picture that an operator has drawn or photographed. */
export type SourcePicture = {
  readonly file: string;
  /** Its file's name without the ending. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly isDrawing: boolean;
  /** `boat-0123456789`: it changes with the picture. */
  readonly key: string;
};
export type Size = { readonly width: number; readonly height: number };

/** The pictures of a folder. Throws `ContentError` for a file that is none by its name. */
export function readPictures(folder: string): SourcePicture[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => !file.startsWith("."));
  return files.sort().map((file) => readPicture(join(folder, file)));
}

function readPicture(file: string): SourcePicture {
  const ending = extname(file);
  const name = basename(file, ending);
  if (!ENDINGS.includes(ending)) throw new ContentError(file, 1, `a picture ends in ${ENDINGS.join(", ")}`);
  if (!NAME.test(name))
    throw new ContentError(file, 1, `"${name}" can't be a picture's name: lower-case words joined by "-"`);
  const bytes = readFileSync(file);
  if (bytes.length > MAX_BYTES) throw new ContentError(file, 1, `is larger than ${MAX_BYTES / 1024 / 1024} MB`);
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  return { file, name, bytes, isDrawing: ending === ".svg", key: `${name}-${hash}` };
}

/** How large a picture is, in pixels; a drawing as large as it says. Throws `ContentError` for what is no picture. */
export async function sizeOf({ file, bytes }: SourcePicture): Promise<Size> {
  const { width, height } = await orNamed(file, async () => (await sharp(bytes).metadata()).autoOrient);
  if (width * height > MAX_PIXELS) throw new ContentError(file, 1, `has more than ${MAX_PIXELS} pixels`);
  return { width, height };
}

/** Without a height, that of the picture's own shape. */
export type Drawn = { readonly width: number; readonly height?: number };

/** The files of a picture in each size and format. */
export const filesOf = ({ key }: SourcePicture, sizes: readonly Drawn[]): string[] =>
  sizes.flatMap(({ width }) => COVER_FORMATS.map((format) => `${key}-${width}.${format}`));

/** Draws those of a picture's files into `cache` that no earlier build has drawn. Throws `ContentError`. */
export async function drawPicture(picture: SourcePicture, sizes: readonly Drawn[], cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  for (const size of sizes)
    for (const file of filesOf(picture, [size]))
      if (!existsSync(join(cache, file)))
        await orNamed(picture.file, async () => {
          const part = join(cache, `${file}.${process.pid}`);
          writeFileSync(part, await encode(picture, size, file.endsWith(".avif")));
          renameSync(part, join(cache, file));
        });
}

/** Copies drawn pictures to where they are served from. */
export function copyPictures(files: Iterable<string>, cache: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const file of files) copyFileSync(join(cache, file), join(target, file));
}

async function encode(picture: SourcePicture, size: Drawn, isAvif: boolean): Promise<Buffer> {
  const { bytes, isDrawing } = picture;
  // An SVG is drawn at its own size times the density: a small one would be blurred.
  const scale = isDrawing ? Math.max(1, size.width / (await sizeOf(picture)).width) : 1;
  const density = Math.ceil(SVG_DENSITY * scale);
  const drawn = sharp(bytes, { density, limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .resize({ ...size, fit: "cover" });
  return (isAvif ? drawn.avif({ quality: 60, effort: 3 }) : drawn.webp({ quality: 84 })).toBuffer();
}

/** What sharp throws names no file. */
async function orNamed<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ContentError(file, 1, `can't be drawn: ${message.split("\n")[0]}`);
  }
}
