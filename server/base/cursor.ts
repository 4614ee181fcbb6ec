import { CodedError } from "#contract/errors.ts";

/** Where a list goes on, as a text: the random id of its last row, as a running number would count everybody's rows. */
export const cursorOf = (id: string | null): string | null =>
  id === null ? null : Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");

/** The id of the row after which the list goes on. ERR_VALIDATION for a text that is no cursor. */
export function readCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length !== ID_BYTES || bytes.toString("base64url") !== cursor) throw unknownCursor();
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** For a cursor that another list gave, or whose row is no longer kept. */
export const unknownCursor = (): CodedError =>
  new CodedError("ERR_VALIDATION", "The request is not valid", {
    data: { cursor: "is none of this list: begin again without it" },
  });

const ID_BYTES = 16;
