import type { MemoParser } from "./reading.ts";
import { parseTonComment } from "./ton.ts";
import { parseXlmMemo } from "./xlm.ts";
import { parseXrpTag } from "./xrp.ts";

const PARSERS: ReadonlyMap<string, MemoParser> = new Map([
  ["XRP", parseXrpTag],
  ["XLM", parseXlmMemo],
  ["TON", parseTonComment],
]);

/** The memo parser of a network; null where the network has no memos. */
export const memoParserOf = (networkTitle: string): MemoParser | null => PARSERS.get(networkTitle) ?? null;
