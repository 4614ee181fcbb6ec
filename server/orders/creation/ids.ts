import { randomInt } from "node:crypto";
import { sha256 } from "../../base/secrets.ts";

const ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ID_LENGTH = 24;

/** Without I, L, O and U, which people misread. */
const REFERENCE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const REFERENCE_HALF = 4;

export type Ids = { orderId(): string; reference(): string };

const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");

/** The id that belongs to a secret of at least 142 bits, as unguessable as that. */
export function orderIdFrom(secret: string): string {
  let rest = BigInt(`0x${sha256(secret).toString("hex")}`);
  return Array.from({ length: ID_LENGTH }, () => {
    const letter = ID_ALPHABET[Number(rest % BigInt(ID_ALPHABET.length))];
    rest /= BigInt(ID_ALPHABET.length);
    return letter;
  }).join("");
}

/** Ids from the secure generator: 142 bits for the id that opens an order, and a short name for people (contract §3). */
export const secureIds: Ids = {
  orderId: () => pick(ID_ALPHABET, ID_LENGTH),
  reference: () => `${pick(REFERENCE_ALPHABET, REFERENCE_HALF)}-${pick(REFERENCE_ALPHABET, REFERENCE_HALF)}`,
};
