import { randomInt } from "node:crypto";
import { hashFor } from "./password-hash.ts";

/** For so long a mailed code is valid (contract §8). */
export const CODE_MINUTES = 30;

/** Crockford's base32: no letter that is read as a digit, and no U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Random characters that a person types from a mail or a sheet of paper. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** What was typed as it was meant: without spaces and hyphens, and with the digits that letters were read for. */
export const normalisedCode = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");

/** What is stored of a code, and by which it is found again. */
export const mailedCodeHash = (userId: bigint, purpose: string, code: string): Promise<string> =>
  hashFor(`mailed code ${purpose} ${userId}`, normalisedCode(code));
