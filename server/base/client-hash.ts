import { createHash } from "node:crypto";

/** A digest of a browser and the address that it is used at; those that do not say which one they are count as one of their address. */
export const clientHash = (fingerprint: string | null | undefined, address: string): string =>
  createHash("sha256")
    .update(`${fingerprint ?? ""}\n${address}`)
    .digest("base64url");
