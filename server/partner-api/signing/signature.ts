import { createHmac, hash } from "node:crypto";

/** What a caller signs (contract §13). `path` is as it was sent, with its query; `body` the exact bytes, empty without one. */
export type SignedParts = {
  timestamp: string;
  method: string;
  path: string;
  body: Uint8Array;
  publicKey: string;
};

/** How far a time stamp may be from our clock (contract §13). */
export const SIGNATURE_WINDOW_MS = 30_000;

/** Version 1 covers no method and no path: it reads, and creates orders. Version 2 covers the whole call. */
export type SignatureVersion = 1 | 2;

/** `X-Api-Signature` of a call: the HMAC of its signed text in base64. */
export function signatureOf(version: SignatureVersion, parts: SignedParts, secretKey: string): string {
  const { timestamp, method, path, body, publicKey } = parts;
  const hmac = createHmac("sha256", secretKey);
  // A body is bytes: as a text it could be another one.
  if (version === 1) hmac.update(timestamp).update(body).update(publicKey);
  else hmac.update(`${timestamp}\n${method}\n${path}\n${digestOf(body)}\n${publicKey}`);
  return hmac.digest("base64");
}

/** Of what most calls have. */
const OF_NO_BYTES = hash("sha256", "", "hex");
const digestOf = (body: Uint8Array): string => (body.length === 0 ? OF_NO_BYTES : hash("sha256", body, "hex"));
