import { CodedError } from "#contract/errors.ts";

/** Where a list goes on, as a text. */
export const cursorOf = (n: bigint | null): string | null =>
  n === null ? null : Buffer.from(n.toString()).toString("base64url");

/** ERR_VALIDATION for a text that is no cursor. */
export function readCursor(cursor: string | undefined): bigint | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, "base64url").toString();
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
  throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: { cursor: "is none of this list" } });
}
