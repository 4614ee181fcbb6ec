import { MAX_PHOTO_PIXELS, type PhotoProblem } from "#contract/accounts/verification.ts";

/** Enough to read every letter, and three of them arrive over a slow network within the time of a request. */
const LONGEST_SIDE = 2_000;
const QUALITY = 0.85;
/** Of 255: a photo that is darker on average shows nothing to whoever checks it. */
const DARK = 32;
const SAMPLE = 32;

/** What this device finds wrong with a photo. */
type PhotoFault = "format" | "pixels" | "dark";
/** Keys of the namespace `verification` under `photo.problem`: found here, or by the service. */
export type RowProblem = PhotoProblem | PhotoFault;

export class PhotoFaultError extends Error {
  override name = "PhotoFaultError";
  readonly fault: PhotoFault;

  constructor(fault: PhotoFault, cause?: unknown) {
    super(`the photo can't be used: ${fault}`, { cause });
    this.fault = fault;
  }
}

/** A file or a camera's picture as a JPEG of a bounded size, upright. Throws `PhotoFaultError`. */
export async function preparePhoto(source: Blob | HTMLVideoElement): Promise<Blob> {
  const picture = await open(source);
  try {
    const { width, height } = picture;
    if (width * height > MAX_PHOTO_PIXELS) throw new PhotoFaultError("pixels");
    if (brightnessOf(picture) < DARK) throw new PhotoFaultError("dark");
    const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
    const canvas = draw(picture, Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    return await toJpeg(canvas);
  } finally {
    picture.close();
  }
}

async function open(source: Blob | HTMLVideoElement): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(source, { imageOrientation: "from-image" });
  } catch (error) {
    throw new PhotoFaultError("format", error);
  }
}

function draw(picture: ImageBitmap, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (context === null) throw new PhotoFaultError("format");
  context.drawImage(picture, 0, 0, width, height);
  return canvas;
}

function brightnessOf(picture: ImageBitmap): number {
  const pixels = draw(picture, SAMPLE, SAMPLE).getContext("2d")?.getImageData(0, 0, SAMPLE, SAMPLE).data ?? [];
  let sum = 0;
  for (let at = 0; at + 2 < pixels.length; at += 4)
    sum += 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0);
  return sum / (SAMPLE * SAMPLE);
}

const toJpeg = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new PhotoFaultError("format")) : resolve(blob)),
      "image/jpeg",
      QUALITY,
    ),
  );
