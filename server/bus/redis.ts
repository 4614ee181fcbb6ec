import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { Log } from "../base/logging/log.ts";
import { createListeners } from "./listeners.ts";
import { INVALIDATIONS, type Bus, type Invalidation } from "./port.ts";

const CHANNEL = "wherry:invalidations";
const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
const MAX_PAUSE_MS = 1_000;

/** A connection to Redis that fails fast during an outage and reconnects by itself; begin and end of an outage are logged. */
export function openRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    // Callers have a fallback for what fails; a queue would only make them wait.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: 5_000,
    retryStrategy: (tries: number) => Math.min(tries * 100, MAX_PAUSE_MS),
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

/** A bus over Redis' publish and subscribe. During an outage invalidations are dropped; every listener is called after it. */
export function createRedisBus(redis: Redis, log: Log): Bus {
  const me = randomUUID();
  const listeners = createListeners();
  const subscriber = redis.duplicate({ autoResubscribe: false });
  // The other connection to the same server logs the outage.
  subscriber.on("error", (error: Error) => log.debug({ err: error }, "the subscription to Redis broke"));
  subscriber.on("ready", () => {
    subscriber.subscribe(CHANNEL).then(listeners.callAll, (error: unknown) => {
      log.warn({ err: error }, "can't subscribe to other processes' changes; they are found by polling");
      subscriber.disconnect(true);
    });
  });
  subscriber.on("message", (_channel: string, text: string) => {
    const [sender, name] = text.split(" ");
    const invalidation = INVALIDATIONS.find((known) => known === name);
    if (sender !== me && invalidation !== undefined) listeners.call(invalidation);
  });

  const publish = async (invalidation: Invalidation): Promise<void> => {
    try {
      await redis.publish(CHANNEL, `${me} ${invalidation}`);
    } catch (error) {
      log.debug({ err: error, invalidation }, "an invalidation was lost: Redis does not answer");
    }
  };
  return {
    on: listeners.on,
    publish: (invalidation) => void publish(invalidation),
    close: async () => {
      // A message that was sent before still arrives.
      listeners.clear();
      subscriber.disconnect();
    },
  };
}

/** Publishes to every member from outside. */
export async function publishToRedis(url: string, invalidations: readonly Invalidation[]): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: CONNECT_TIMEOUT_MS, retryStrategy: () => null });
  try {
    await redis.connect();
    for (const invalidation of invalidations) await redis.publish(CHANNEL, `- ${invalidation}`);
  } finally {
    redis.disconnect();
  }
}
