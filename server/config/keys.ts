import { z } from "zod";
import type { Values } from "./values.ts";

const hexKey = () =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 32 bytes in hex")
    .optional();

export const keyVariables = {
  SECOND_FACTOR_KEY: hexKey(),
  SECOND_FACTOR_KEY_FORMER: hexKey(),
  API_KEYS_KEY: hexKey(),
  API_KEYS_KEY_FORMER: hexKey(),
  KYC_KEY: hexKey(),
  KYC_KEY_FORMER: hexKey(),
};

/** What our own rows are encrypted with; the former ones are for the command that changes a key. */
export type KeysConfig = Readonly<{
  /** Encrypts the secrets of second factors; null: a key in the database does. */
  secondFactorKey: Buffer | null;
  formerSecondFactorKey: Buffer | null;
  /** Encrypts the secrets of API keys; null: a key in the database does. */
  apiKeysKey: Buffer | null;
  formerApiKeysKey: Buffer | null;
  /** Seals the documents of verification; null: in the sandbox a key in the database does, elsewhere nobody can be verified. */
  kycKey: Buffer | null;
  formerKycKey: Buffer | null;
}>;

export const keysConfig = (value: Values<typeof keyVariables>): KeysConfig => ({
  secondFactorKey: keyOf(value.SECOND_FACTOR_KEY),
  formerSecondFactorKey: keyOf(value.SECOND_FACTOR_KEY_FORMER),
  apiKeysKey: keyOf(value.API_KEYS_KEY),
  formerApiKeysKey: keyOf(value.API_KEYS_KEY_FORMER),
  kycKey: keyOf(value.KYC_KEY),
  formerKycKey: keyOf(value.KYC_KEY_FORMER),
});

const keyOf = (hex: string | undefined): Buffer | null => (hex === undefined ? null : Buffer.from(hex, "hex"));
