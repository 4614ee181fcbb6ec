import type { ParsedAddress } from "../port.ts";
import { parseAdaAddress } from "./ada.ts";
import { parseBchAddress } from "./bch.ts";
import { parseBtcAddress, parseBtcRegtestAddress } from "./btc.ts";
import { parseDogeAddress, parseDogeRegtestAddress } from "./doge.ts";
import { parseEvmAddress } from "./evm.ts";
import { parseIotxAddress } from "./iotx.ts";
import { parseLtcAddress, parseLtcRegtestAddress } from "./ltc.ts";
import { refusal, type AddressParser } from "./reading.ts";
import { parseSolAddress } from "./sol.ts";
import { parseTonAddress } from "./ton.ts";
import { parseTrxAddress } from "./trx.ts";
import { parseXlmAddress } from "./xlm.ts";
import { parseXmrAddress } from "./xmr.ts";
import { parseXrpAddress } from "./xrp.ts";

/** By network title (contract §2). */
const PARSERS: ReadonlyMap<string, AddressParser> = new Map([
  ["ETH", (text) => parseEvmAddress(text)],
  ["BTC", parseBtcAddress],
  ["LTC", parseLtcAddress],
  ["DOGE", parseDogeAddress],
  ["BCH", parseBchAddress],
  ["XRP", parseXrpAddress],
  ["XLM", parseXlmAddress],
  ["TON", parseTonAddress],
  ["SOL", parseSolAddress],
  ["ADA", parseAdaAddress],
  ["TRX", parseTrxAddress],
  ["XMR", parseXmrAddress],
  ["IOTX", parseIotxAddress],
]);

/** The same where the network is a local one; those without a format of their own write addresses as the main network does. */
const REGTEST_PARSERS: ReadonlyMap<string, AddressParser> = new Map([
  ["BTC", parseBtcRegtestAddress],
  ["LTC", parseLtcRegtestAddress],
  ["DOGE", parseDogeRegtestAddress],
]);

/** Longer than any address of any network; more is not worth decoding. */
const LONGEST = 256;

/**
 * Reads an address of a network, or of its local chain, into its canonical form. A network without a parser of its own is refused,
 * never guessed.
 */
export function parseAddressOf(networkTitle: string, text: string, chain: "main" | "regtest" = "main"): ParsedAddress {
  if (text.length > LONGEST) return refusal;
  const local = chain === "regtest" ? REGTEST_PARSERS.get(networkTitle) : undefined;
  return (local ?? PARSERS.get(networkTitle))?.(text) ?? refusal;
}

export { memoParserOf } from "./memos.ts";
