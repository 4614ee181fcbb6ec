import { Redis } from "ioredis";
import type { Log } from "../base/log.ts";

const ANSWER_WITHIN_MS = 500;
const CONNECT_WITHIN_MS = 2_000;
const LONGEST_PAUSE_MS = 1_000;

/** A connection to Redis that fails fast while Redis is away and comes back by itself; an outage is logged at its begin and its end. */
export function openRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    // What can't be asked at once has an answer elsewhere; a queue would only make everybody wait.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    keepAlive: 5_000,
    retryStrategy: (tries: number) => Math.min(tries * 100, LONGEST_PAUSE_MS),
  });
  let isAway = false;
  redis.on("error", (error: Error) => {
    if (!isAway)
      log.warn({ err: error }, "Redis does not answer: limits are counted and changes found by each process");
    isAway = true;
  });
  redis.on("close", () => {
    if (!isAway) log.warn("Redis is gone: limits are counted and changes found by each process");
    isAway = true;
  });
  redis.on("ready", () => {
    if (isAway) log.info("Redis is back");
    isAway = false;
  });
  return redis;
}
