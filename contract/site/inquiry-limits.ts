// Apart from the schemas, so that the forms don't load zod.

/** Bytes of the file of an authority's request. */
export const MAX_INQUIRY_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_INQUIRY_TEXT = 4_000;

/** Why a file is refused, in ERR_VALIDATION's `data.file`. */
export const FILE_PROBLEMS = ["missing", "size", "format", "pixels", "broken", "active"] as const;
export type FileProblem = (typeof FILE_PROBLEMS)[number];
