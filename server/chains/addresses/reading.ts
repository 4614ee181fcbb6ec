import type { ParsedAddress, ParsedMemo } from "../port.ts";

/** Reads an address of one network as a person wrote it, without the blanks around it. */
export type AddressParser = (text: string) => ParsedAddress;

/** Reads what tells the customers behind one address apart (XRP's tag, Stellar's memo, TON's comment), without the blanks around it. */
export type MemoParser = (text: string) => ParsedMemo;

export const refusal: ParsedAddress = { valid: false, code: null };

/** What a codec gives, or null where it throws: codecs say "not one of mine" by throwing. */
export function decodedBy<Decoded>(decode: () => Decoded): Decoded | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
