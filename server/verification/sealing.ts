import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals documents: AES-256-GCM, a new nonce for each. */
export type DocumentKey = {
  /** Tells keys apart without disclosing them. */
  readonly id: string;
  /** `place` names the row: sealed bytes that were moved to another one can't be opened. */
  seal(plain: Uint8Array, place: string): Buffer;
  /** Throws for another key, another place, and bytes that were changed. */
  open(sealed: Buffer, place: string): Buffer;
};

/** Seals with a key of 32 bytes. */
export function documentKey(key: Buffer): DocumentKey {
  return {
    id: createHash("sha256").update("kyc key").update(key).digest("hex").slice(0, 16),
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(place));
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, place) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
