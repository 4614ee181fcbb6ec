import { decodeCashAddr } from "./cashaddr.ts";
import { decodedBy, refusal, type AddressParser } from "./reading.ts";

export const BCH_PREFIX = "bitcoincash";

/** Version bytes for a hash of 20 bytes: P2PKH, P2SH, and the two that also receive tokens. */
const KINDS = new Set([0x00, 0x08, 0x10, 0x18]);
const SCRIPT_KINDS_OF_32 = new Set([0x0b, 0x1b]);

/**
 * Bitcoin Cash in CashAddr, with its prefix or without, canonical with it. The old "1…" and "3…" are Bitcoin's as well, so that
 * nobody could tell which was meant, and are refused.
 */
export const parseBchAddress: AddressParser = (text) => {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return refusal;
  const lower = text.toLowerCase();
  const data = lower.startsWith(`${BCH_PREFIX}:`) ? lower.slice(BCH_PREFIX.length + 1) : lower;
  const bytes = decodedBy(() => decodeCashAddr(BCH_PREFIX, data));
  if (bytes === null) return refusal;
  const version = bytes[0] ?? -1;
  const isKnown = bytes.length === 21 ? KINDS.has(version) : bytes.length === 33 && SCRIPT_KINDS_OF_32.has(version);
  return isKnown ? { valid: true, canonical: `${BCH_PREFIX}:${data}` } : refusal;
};
