import type { FileProblem } from "#contract/site/inquiry-limits.ts";
import { encodePhoto, PhotoError } from "../../base/photos.ts";
import { isActivePdf } from "./pdf.ts";

export class FileError extends Error {
  override name = "FileError";
  readonly problem: FileProblem;

  constructor(problem: FileProblem, cause?: unknown) {
    super(`the file is refused: ${problem}`, { cause });
    this.problem = problem;
  }
}

export type CheckedFile = { readonly bytes: Uint8Array; readonly extension: "pdf" | "jpg"; readonly type: string };

/**
 * A file that may be mailed to the operator, judged by its content: a photo encoded anew, so that nothing of the sent bytes is left, or a PDF as
 * it is, because its signature must stay. A PDF that visibly does something when it is opened is refused; what its compressed parts hold is not
 * seen. Throws `FileError`.
 */
export async function checkFile(bytes: Uint8Array): Promise<CheckedFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, 5).equals(Buffer.from("%PDF-"))) {
    await checkPdf(buffer);
    return { bytes, extension: "pdf", type: "application/pdf" };
  }
  try {
    return { bytes: await encodePhoto(bytes), extension: "jpg", type: "image/jpeg" };
  } catch (error) {
    if (error instanceof PhotoError) throw new FileError(error.problem, error);
    throw error;
  }
}

const TAIL_BYTES = 1_024;

async function checkPdf(file: Buffer): Promise<void> {
  if (!file.subarray(-TAIL_BYTES).includes("%%EOF")) throw new FileError("broken");
  if (await isActivePdf(file)) throw new FileError("active");
}
