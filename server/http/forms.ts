import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import { MAX_PHOTO_BYTES } from "#contract/accounts/verification.ts";

/** What one form may hold; more of anything ends the reading. */
const LIMITS = {
  fileSize: MAX_PHOTO_BYTES,
  files: 3,
  fields: 20,
  parts: 23,
  fieldSize: 16_384,
  fieldNameSize: 64,
  headerPairs: 20,
};

/** Lets the routes of this scope take forms. Nothing of a form is read before `readForm`. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: LIMITS });
}

/** The fields of a form as texts and files. ERR_BAD_REQUEST for what is no form (415), holds too much (413) or ends early. */
export async function readForm(request: FastifyRequest): Promise<Record<string, string | File>> {
  if (!request.isMultipart())
    throw new CodedError("ERR_BAD_REQUEST", "The body must be multipart/form-data", { httpStatus: 415 });
  const form = new Map<string, string | File>();
  try {
    for await (const part of request.parts()) {
      if (form.has(part.fieldname)) throw new CodedError("ERR_BAD_REQUEST", "A form field is repeated");
      form.set(
        part.fieldname,
        part.type === "file" ? new File([await toBytes(part)], part.fieldname) : String(part.value),
      );
    }
  } catch (error) {
    throw unreadable(error);
  }
  return Object.fromEntries(form);
}

/** Names the file that is too large, so that the page can say which one it is. */
async function toBytes(part: { fieldname: string; toBuffer(): Promise<Buffer> }): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return Uint8Array.from(await part.toBuffer());
  } catch (error) {
    if (statusOf(error) !== 413) throw error;
    throw new CodedError("ERR_BAD_REQUEST", "A file is too large", {
      httpStatus: 413,
      data: { [part.fieldname]: "size" },
      cause: error,
    });
  }
}

/** Whatever a client sends, or stops sending, is no failure of ours. */
function unreadable(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return new CodedError("ERR_BAD_REQUEST", "The form could not be read", {
    httpStatus: statusOf(error) ?? 400,
    cause: error,
  });
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("statusCode" in error)) return null;
  return typeof error.statusCode === "number" && error.statusCode >= 400 && error.statusCode < 500
    ? error.statusCode
    : null;
}
