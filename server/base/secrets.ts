import { hash, randomBytes, randomFillSync, timingSafeEqual } from "node:crypto";

/** Random bytes of the system in hex. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** A token for a cookie, a header or a link in base64url: 256 random bits unless given otherwise. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString("base64url");

const TRACE_ID_BYTES = 16;
/** The system is asked once for many ids: asking costs more than the rest of an id. */
const pool = Buffer.alloc(TRACE_ID_BYTES * 256);
let used = pool.length;

/** A new id of 128 random bits for logs and answers. Not for secrets: the next ones lie in memory before they are used. */
export function traceId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += TRACE_ID_BYTES;
  return pool.toString("hex", used - TRACE_ID_BYTES, used);
}

/** A digest of a text or of bytes, for what must be recognised and not be read. */
export const sha256 = (data: string | Uint8Array): Buffer => hash("sha256", data, "buffer");

/** Compares two texts in a time that does not depend on where they differ. */
export function equalsInConstantTime(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}
