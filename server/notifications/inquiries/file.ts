import type { FileProblem } from "#contract/inquiry-limits.ts";
import { encodePhoto, PhotoError } from "../../base/photos.ts";

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
    checkPdf(buffer);
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
/** Keys of actions and embedded files. In a name of a PDF any letter may be written as `#` and its code. */
const ACTIVE = [
  "JavaScript",
  "JS",
  "Launch",
  "EmbeddedFile",
  "EmbeddedFiles",
  "RichMedia",
  "XFA",
  "SubmitForm",
  "ImportData",
];
const NAME = /\/((?:[^\s()<>[\]{}/%]|#[0-9a-f]{2})+)/gi;

function checkPdf(file: Buffer): void {
  if (!file.subarray(-TAIL_BYTES).includes("%%EOF")) throw new FileError("broken");
  const text = file.toString("latin1");
  for (const [, name = ""] of text.matchAll(NAME)) {
    const written = name.replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (ACTIVE.includes(written)) throw new FileError("active");
  }
}
