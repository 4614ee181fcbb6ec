import { existsSync } from "node:fs";
import { join } from "node:path";
import { COVER_RATIO, COVER_WIDTHS } from "#contract/site/covers.ts";
import { ContentError } from "./article-file.ts";
import { drawPicture, filesOf, PICTURE_CACHE, readPictures, sizeOf, type SourcePicture } from "./draw-picture.ts";

const SIZES = COVER_WIDTHS.map((width) => ({ width, height: Math.round(width * COVER_RATIO) }));
const LARGEST = SIZES.at(-1);

export type Cover = {
  /** Where its pictures are served, without width and format. */
  readonly path: string;
  readonly files: readonly string[];
};

/**
 * The covers of a folder by their names, each drawn in every width and format into `cache`. Those that no article uses are drawn too, so that a broken one
 * is found before an article names it. Throws `ContentError`.
 */
export async function drawCovers(folder: string, cache = PICTURE_CACHE): Promise<ReadonlyMap<string, Cover>> {
  const covers = new Map<string, Cover>();
  for (const picture of readPictures(folder)) {
    if (covers.has(picture.name)) throw new ContentError(picture.file, 1, `there are two covers ${picture.name}`);
    const files = filesOf(picture, SIZES);
    if (!files.every((file) => existsSync(join(cache, file)))) {
      await refuseSmall(picture);
      await drawPicture(picture, SIZES, cache);
    }
    covers.set(picture.name, { path: `/covers/${picture.key}`, files });
  }
  return covers;
}

async function refuseSmall(picture: SourcePicture): Promise<void> {
  const { width, height } = await sizeOf(picture);
  if (picture.isDrawing || LARGEST === undefined || (width >= LARGEST.width && height >= LARGEST.height)) return;
  const least = `${LARGEST.width} by ${LARGEST.height}`;
  throw new ContentError(picture.file, 1, `is ${width} by ${height} pixels: a cover has at least ${least}`);
}
