import sharp from "sharp";
import { MAX_PHOTO_PIXELS, type PhotoProblem } from "#contract/accounts/verification.ts";
import { createQueue } from "./concurrency/queue.ts";

/** contract §10 */
const LONGEST_SIDE = 2_400;
const QUALITY = 85;
/** A photo that takes longer was made to take long. */
const DECODE_SECONDS = 20;

/** Of the libraries inside sharp, only these three read what users send. */
const LOADERS = ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"];
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: LOADERS });
sharp.cache(false);
// Decoding runs in libuv's threads: one of them at a time, so that files, names and passwords keep theirs.
sharp.concurrency(1);
const inTurn = createQueue();

export class PhotoError extends Error {
  override name = "PhotoError";
  readonly problem: PhotoProblem;

  constructor(problem: PhotoProblem, cause?: unknown) {
    super(`the photo is refused: ${problem}`, { cause });
    this.problem = problem;
  }
}

/**
 * A photo encoded anew as JPEG, upright and without metadata: nothing of the sent bytes is left. Throws `PhotoError`: judged by content,
 * and its size before anything is decoded.
 */
export const encodePhoto = (bytes: Uint8Array): Promise<Buffer> => inTurn(() => encode(bytes));

async function encode(bytes: Uint8Array): Promise<Buffer> {
  if (!isPhoto(bytes)) throw new PhotoError("format");
  const { width, height } = await readHeader(bytes);
  if (width * height > MAX_PHOTO_PIXELS) throw new PhotoError("pixels");
  try {
    return await open(bytes)
      .timeout({ seconds: DECODE_SECONDS })
      .autoOrient()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .jpeg({ quality: QUALITY })
      .toBuffer();
  } catch (error) {
    throw new PhotoError("broken", error);
  }
}

async function readHeader(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    // Without sharp's own limit, which would be reported as a broken file.
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    return { width, height };
  } catch (error) {
    throw new PhotoError("broken", error);
  }
}

const open = (bytes: Uint8Array) =>
  sharp(bytes, { limitInputPixels: MAX_PHOTO_PIXELS, failOn: "error", sequentialRead: true });

/** The first bytes of JPEG, PNG and WebP. */
function isPhoto(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12));
  return (
    head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
    head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) ||
    (head.subarray(0, 4).toString("latin1") === "RIFF" && head.subarray(8, 12).toString("latin1") === "WEBP")
  );
}
