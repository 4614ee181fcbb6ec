import { Address, NETWORK } from "@scure/btc-signer";
import { decodedBy, refusal, type AddressParser } from "./reading.ts";

/** Scripts that somebody's key can spend: an anchor, which anybody can, and versions to come are refused. */
const SPENDABLE = new Set(["pkh", "sh", "wpkh", "wsh", "tr"]);

/** Networks with Bitcoin's address formats and their own prefixes. */
type Prefixes = Parameters<typeof Address>[0];

export const BITCOIN_REGTEST = { bech32: "bcrt", pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

/** Bitcoin: P2PKH, P2SH and the native segwit versions 0 and 1; of mainnet only. Segwit comes in one case and is canonical in lower case. */
export const parseBtcAddress: AddressParser = segwitOrBase58(NETWORK);

/** The same of a local chain ("m…" or "n…", "2…", "bcrt1…"). */
export const parseBtcRegtestAddress: AddressParser = segwitOrBase58(BITCOIN_REGTEST);

export function segwitOrBase58(network: Prefixes): AddressParser {
  const coder = Address(network);
  const segwit = `${network?.bech32 ?? NETWORK.bech32}1`;
  return (text) => {
    const lower = text.toLowerCase();
    const canonical = lower.startsWith(segwit) && (text === lower || text === text.toUpperCase()) ? lower : text;
    const script = decodedBy(() => coder.decode(canonical));
    return script !== null && SPENDABLE.has(script.type) ? { valid: true, canonical } : refusal;
  };
}
