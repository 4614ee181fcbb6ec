import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Random bytes of the system in hex. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** Compares two texts in a time that does not depend on where they differ. */
export function equalsInConstantTime(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
