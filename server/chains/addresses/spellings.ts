import { bech32 } from "@scure/base";
import { bytesToHex, getAddress, hexToBytes } from "viem";
import { BCH_PREFIX, encodeCashAddr } from "./bch.ts";
import { LITECOIN } from "./bitcoin.ts";
import { NETWORK_TITLES } from "#contract/network-titles.ts";
import { parseAddressOf } from "./by-network.ts";
import { base58check, decodeOrNull } from "./parser.ts";
import { encodeFriendly } from "./ton.ts";
import { base58OfHex } from "./trx.ts";
import { standardOfIntegrated } from "./xmr.ts";

/**
 * The account behind a canonical address, for those that are many at one account: Monero's integrated ones, each with a payment id of its
 * own. Any other text is returned as it is.
 */
export const accountOf = (canonical: string): string => standardOfIntegrated(canonical) ?? canonical;

/**
 * All canonical addresses that a text may mean, on whatever network: as an address is written in a list that names none, or in a form that
 * no network of ours takes (a raw account of TON, TRON's hex, the old forms of Litecoin and Bitcoin Cash). Empty for other text.
 */
export function accountsWritten(text: string): string[] {
  const forms = [text, ...otherForms(text)];
  const found = forms.flatMap((form) =>
    NETWORK_TITLES.map((network) => parseAddressOf(network, form)).flatMap((parsed) =>
      parsed.valid ? [accountOf(parsed.canonical)] : [],
    ),
  );
  return [...new Set(found)];
}

const P2PKH = 0x00;
const P2SH = 0x05;

function otherForms(text: string): string[] {
  const legacy = decodeOrNull(() => base58check.decode(text));
  if (legacy?.length === 21 && (legacy[0] === P2PKH || legacy[0] === P2SH)) return oldForms(legacy);
  if (/^0x[0-9a-f]{40}$/i.test(text)) return [bech32.encodeFromBytes("io", hexToBytes(`0x${text.slice(2)}`))];
  if (/^41[0-9a-f]{40}$/i.test(text)) return [base58OfHex(text.toLowerCase())];
  const raw = /^(-1|0):([0-9a-f]{64})$/i.exec(text);
  if (raw !== null) return [encodeFriendly(raw[1] === "0" ? 0x00 : 0xff, hexToBytes(`0x${raw[2] ?? ""}`))];
  const iotex = decodeOrNull(() => bech32.decodeToBytes(text));
  if (iotex?.prefix === "io" && iotex.bytes.length === 20) return [getAddress(bytesToHex(iotex.bytes))];
  return [];
}

/** Bitcoin Cash and Litecoin once wrote as Bitcoin does: whoever has the key or the script has it there too. */
function oldForms(legacy: Uint8Array): string[] {
  const [version, ...hash] = legacy;
  const cash = encodeCashAddr(BCH_PREFIX, Uint8Array.of(version === P2SH ? 0x08 : 0x00, ...hash));
  return version === P2SH ? [cash, base58check.encode(Uint8Array.of(LITECOIN.scriptHash, ...hash))] : [cash];
}
