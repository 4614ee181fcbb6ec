import { ratingSchema, type Rating } from "#contract/site/pages.ts";
import { boundedFetch } from "../base/outbound/bounded-fetch.ts";
import { repeat } from "../base/concurrency/loop.ts";
import type { Log } from "../base/logging/log.ts";

const EVERY_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;
/** A rating that nobody has confirmed for so long is not shown. */
const OLDEST_MS = 24 * 3_600_000;

export type RatingSource = { current(): Rating | null; stop(): Promise<void> };

/** Reads the operator's rating, JSON as `ratingSchema` has it, every hour. What can't be read is not shown, and nothing is made up. */
export function watchRating(url: string, log: Log, now: () => number = () => performance.now()): RatingSource {
  let known: { rating: Rating; at: number } | null = null;
  const read = async () => {
    try {
      const answer = await boundedFetch(MAX_BYTES)(url, {
        headers: { accept: "application/json" },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      known = { rating: ratingSchema.parse(await answer.json()), at: now() };
    } catch (error) {
      log.warn({ err: error }, "RATING_URL could not be read");
    }
  };
  const loop = repeat("rating", EVERY_MS, read, log);
  return {
    current: () => (known !== null && now() - known.at < OLDEST_MS ? known.rating : null),
    stop: () => loop.stop(),
  };
}
