import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SETTING = "kyc_key";

/** Seals documents: AES-256-GCM, a new nonce for each. */
export type DocumentKey = {
  /** Tells keys apart without disclosing them. */
  readonly id: string;
  /** `place` names the row: sealed bytes that were moved to another one can't be opened. */
  seal(plain: Uint8Array, place: string): Buffer;
  /** Throws for another key, another place, and bytes that were changed. */
  open(sealed: Buffer, place: string): Buffer;
};

/**
 * Seals with a key of 32 bytes.
 *
 * @internal Exported for its tests.
 */
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

/** KYC_KEY, or in the sandbox a key in its database; null where neither is. */
export async function openDocumentKey(
  database: Database,
  { kycKey, sandbox }: { kycKey: Buffer | null; sandbox: boolean },
): Promise<DocumentKey | null> {
  if (kycKey !== null) return documentKey(kycKey);
  return sandbox ? documentKey(await sandboxKey(database)) : null;
}

async function sandboxKey({ kysely }: Database): Promise<Buffer> {
  const { rows } = await sql<{ hex: string }>`
    insert into settings (key, value) values (${SETTING}, jsonb_build_object('hex', ${randomBytes(32).toString("hex")}::text))
    on conflict (key) do update set key = excluded.key
    returning value->>'hex' as hex`.execute(kysely);
  if (rows[0] === undefined) throw new Error("the sandbox's key for documents could not be stored");
  return Buffer.from(rows[0].hex, "hex");
}
