import type { NetworkTitle } from "#contract/network-titles.ts";
import type { ParsedAddress } from "../port.ts";
import { parseAdaAddress } from "./ada.ts";
import { parseBchAddress } from "./bch.ts";
import {
  parseBtcAddress,
  parseBtcRegtestAddress,
  parseDogeAddress,
  parseDogeRegtestAddress,
  parseLtcAddress,
  parseLtcRegtestAddress,
} from "./bitcoin.ts";
import { parseEvmAddress } from "./evm.ts";
import { parseIotxAddress } from "./iotx.ts";
import { INVALID, type AddressParser, type MemoParser } from "./parser.ts";
import { parseSolAddress } from "./sol.ts";
import { parseTonAddress, parseTonComment } from "./ton.ts";
import { parseTrxAddress } from "./trx.ts";
import { parseXlmAddress, parseXlmMemo } from "./xlm.ts";
import { parseXmrAddress } from "./xmr.ts";
import { parseXrpAddress, parseXrpTag } from "./xrp.ts";

/** By network title (contract §2). */
const PARSERS: Readonly<Record<NetworkTitle, AddressParser>> = {
  ETH: (text) => parseEvmAddress(text),
  BTC: parseBtcAddress,
  LTC: parseLtcAddress,
  DOGE: parseDogeAddress,
  BCH: parseBchAddress,
  XRP: parseXrpAddress,
  XLM: parseXlmAddress,
  TON: parseTonAddress,
  SOL: parseSolAddress,
  ADA: parseAdaAddress,
  TRX: parseTrxAddress,
  XMR: parseXmrAddress,
  IOTX: parseIotxAddress,
};
const PARSER_OF: ReadonlyMap<string, AddressParser> = new Map(Object.entries(PARSERS));

/** The same where the network is a local one; those without a format of their own write addresses as the main network does. */
const REGTEST_PARSERS: ReadonlyMap<string, AddressParser> = new Map([
  ["BTC", parseBtcRegtestAddress],
  ["LTC", parseLtcRegtestAddress],
  ["DOGE", parseDogeRegtestAddress],
]);

/** Longer than any address of any network; more is not worth decoding. */
const MAX_LENGTH = 256;

/**
 * Reads an address of a network, or of its local chain, into its canonical form. A network without a parser of its own is refused,
 * never guessed.
 */
export function parseAddressOf(networkTitle: string, text: string, chain: "main" | "regtest" = "main"): ParsedAddress {
  if (text.length > MAX_LENGTH) return INVALID;
  const local = chain === "regtest" ? REGTEST_PARSERS.get(networkTitle) : undefined;
  return (local ?? PARSER_OF.get(networkTitle))?.(text) ?? INVALID;
}

const MEMO_PARSERS: ReadonlyMap<string, MemoParser> = new Map([
  ["XRP", parseXrpTag],
  ["XLM", parseXlmMemo],
  ["TON", parseTonComment],
]);

/** The memo parser of a network; null where the network has no memos. */
export const memoParserOf = (networkTitle: string): MemoParser | null => MEMO_PARSERS.get(networkTitle) ?? null;
