import type { Redis } from "ioredis";
import type { Log } from "../base/logging/log.ts";
import type { Bus, Invalidation } from "./port.ts";
import { createPostgresBus, notifyOnce } from "./postgres.ts";
import { createRedisBus, openRedis, publishToRedis } from "./redis.ts";

export type { Bus } from "./port.ts";
export type { Redis } from "ioredis";

/** What the processes on one database share beside it: the bus, and the counts of rate limits (null: each process counts by itself). */
export type Shared = { bus: Bus; redis: Redis | null; close(): Promise<void> };

/** Publishes once from a process that joins no bus, such as a command. What is lost is found by polling. */
export async function publishOnce({ redisUrl, databaseUrl }: Addresses, invalidations: readonly Invalidation[]) {
  if (redisUrl === null) await notifyOnce(databaseUrl, invalidations);
  else await publishToRedis(redisUrl, invalidations);
}

type Addresses = { redisUrl: string | null; databaseUrl: string };

/** Connects to REDIS_URL, or without it to the database. During an outage processes find each other's changes by polling the rows. */
export function openShared({ redisUrl, databaseUrl }: Addresses, log: Log): Shared {
  if (redisUrl === null) {
    const bus = createPostgresBus(databaseUrl, log);
    return { bus, redis: null, close: () => bus.close() };
  }
  const redis = openRedis(redisUrl, log);
  const bus = createRedisBus(redis, log);
  return {
    bus,
    redis,
    close: async () => {
      await bus.close();
      redis.disconnect();
    },
  };
}
