import { bech32 } from "@scure/base";
import { decodeOrNull, INVALID, UNPAYABLE, type AddressParser } from "./parser.ts";
import { IOTX_UNSPENDABLE } from "./unspendable/iotx.ts";
import { isMadeUp } from "./unspendable/unspendable.ts";

/** The reject code of spec §5: the same account can be written as 0x…, which is not what is asked for here. */
const ETHEREUM_FORM = "address_reject_iotx";

/** IoTeX: 20 bytes in bech32 ("io1…"). */
export const parseIotxAddress: AddressParser = (text) => {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { valid: false, code: ETHEREUM_FORM };
  const decoded = decodeOrNull(() => bech32.decodeToBytes(text));
  if (decoded?.prefix !== "io" || decoded.bytes.length !== 20) return INVALID;
  const canonical = text.toLowerCase();
  if (IOTX_UNSPENDABLE.has(canonical) || isMadeUp(canonical, decoded.bytes)) return UNPAYABLE;
  return { valid: true, canonical };
};
