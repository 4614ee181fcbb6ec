import { Address, OutScript } from "@scure/btc-signer";
import type { Chain } from "./chains.ts";

const SEGWIT = new Set(["wpkh", "wsh", "tr"]);
const LEGACY = new Set(["pkh", "sh"]);

/** The address that a script pays, in its canonical form; null for one that no address stands for, such as data or the extension block's own. */
export function addressOfScript({ prefixes, hasSegwit }: Chain, script: Uint8Array): string | null {
  try {
    const decoded = OutScript.decode(script);
    if (!LEGACY.has(decoded.type) && !(hasSegwit && SEGWIT.has(decoded.type))) return null;
    return Address(prefixes).encode(decoded);
  } catch {
    // The codec says by throwing that a script is of no known form.
    return null;
  }
}

/** The script that an address stands for; throws for one that was not parsed before. */
export const scriptOfAddress = ({ prefixes }: Chain, address: string): Uint8Array =>
  OutScript.encode(Address(prefixes).decode(address));
