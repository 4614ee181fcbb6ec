import { createHash } from "node:crypto";
import { seal, unseal } from "../base/sealed.ts";

/** Seals documents with a key that has a name of its own. */
export type DocumentKey = {
  /** Tells keys apart without disclosing them. */
  readonly id: string;
  /** `context` names the row: sealed bytes that were moved to another one can't be opened. */
  seal(plain: Uint8Array, context: string): Buffer;
  /** Throws for another key, another context, and bytes that were changed. */
  open(sealed: Buffer, context: string): Buffer;
};

/** Seals with a key of 32 bytes. */
export const documentKey = (key: Buffer): DocumentKey => ({
  id: createHash("sha256").update("kyc key").update(key).digest("hex").slice(0, 16),
  seal: (plain, context) => seal(key, plain, context),
  open: (sealed, context) => unseal(key, sealed, context),
});
