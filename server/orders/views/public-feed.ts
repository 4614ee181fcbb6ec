import { setBounded } from "../../base/bounded-map.ts";
import type { Stats } from "#contract/health.ts";
import type { AskedPair } from "#contract/site/listed-pairs.ts";
import type { LatestOrder } from "#contract/order.ts";
import type { PairActivity } from "#contract/site/pair-activity.ts";
import { keepFresh } from "../../base/cached-answer.ts";
import type { Log } from "../../base/logging/log.ts";
import { shareAnswer } from "../../base/shared-answer.ts";
import { readAskedPairs, readPairActivity } from "./pair-activity.ts";
import { publishedUntil } from "./public-figures.ts";
import { readLatest, readStats, type ReadParts } from "./read.ts";

/** In milliseconds. */
export type PublicFeedTiming = {
  /** How long an answer is given before a newer one is made behind it. */
  freshMs: number;
  /** Completions are published together, by batches of this length; 0: each at once. */
  batchMs: number;
};

/** Who polls the list learns no moment of an exchange, and 50,000 orders of a day, which take up to a second to read, are read every ten minutes. */
export const PUBLIC_FEED: PublicFeedTiming = { freshMs: 30_000, batchMs: 600_000 };

/** Nobody's exchange can be followed there, and who plays wants to see it at once. */
export const SANDBOX_FEED: PublicFeedTiming = { freshMs: 0, batchMs: 0 };

/** Pairs whose answers are kept; who asks for others costs one bounded query each. */
const PAIRS_KEPT = 500;

export type PublicFeed = {
  latest(): Promise<LatestOrder[]>;
  stats(): Promise<Stats>;
  pairActivity(pair: { from: string; to: string }): Promise<PairActivity>;
  askedPairs(): Promise<AskedPair[]>;
};

/** What the public sees of all orders (contract §2, §3): one answer for everybody, read once for each batch by one query at a time. */
export function createPublicFeed(parts: ReadParts & { log: Log }, timing: PublicFeedTiming): PublicFeed {
  const perBatch = <Answer extends object>(read: (parts: ReadParts, until: Date) => Promise<Answer>) => {
    let known: { until: number; answer: Answer } | null = null;
    const make = async (): Promise<Answer> => {
      const until = publishedUntil(parts.clock.now(), timing.batchMs);
      if (timing.batchMs > 0 && known?.until === until.getTime()) return known.answer;
      const answer = shareAnswer(await read(parts, until));
      known = { until: until.getTime(), answer };
      return answer;
    };
    return keepFresh(make, { freshMs: timing.freshMs, log: parts.log }).get;
  };
  const ofPairs = new Map<string, () => Promise<PairActivity>>();
  const ofPair = (pair: { from: string; to: string }): (() => Promise<PairActivity>) => {
    const key = `${pair.from} ${pair.to}`;
    const known = ofPairs.get(key) ?? perBatch((given, until) => readPairActivity(given, pair, until));
    setBounded(ofPairs, key, known, PAIRS_KEPT);
    return known;
  };
  return {
    latest: perBatch(readLatest),
    stats: perBatch(readStats),
    pairActivity: (pair) => ofPair(pair)(),
    askedPairs: perBatch(readAskedPairs),
  };
}
