import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { decodedBy, refusal, type AddressParser } from "./reading.ts";

export const base58check = createBase58check(sha256);

const HASH_LENGTH = 20;

/** Addresses of one version byte and a hash of 20 bytes, guarded by four bytes of double SHA-256. */
export function base58checkParser(versions: ReadonlySet<number>): AddressParser {
  return (text) => {
    const bytes = decodedBy(() => base58check.decode(text));
    if (bytes === null || bytes.length !== 1 + HASH_LENGTH || !versions.has(bytes[0] ?? -1)) return refusal;
    return { valid: true, canonical: text };
  };
}
