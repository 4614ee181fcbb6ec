import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { Log } from "../base/log.ts";
import { createListeners } from "./listeners.ts";
import { INVALIDATIONS, type Bus, type Invalidation } from "./port.ts";

const CHANNEL = "wherry:hints";

/** A bus over Redis' publish and subscribe. While Redis is away hints are dropped, and every listener is called once it is back. */
export function createRedisBus(redis: Redis, log: Log): Bus {
  const me = randomUUID();
  const listeners = createListeners();
  const subscriber = redis.duplicate({ autoResubscribe: false });
  // The other connection to the same server tells of the outage.
  subscriber.on("error", (error: Error) => log.debug({ err: error }, "the subscription to Redis broke"));
  subscriber.on("ready", () => {
    subscriber.subscribe(CHANNEL).then(listeners.callAll, (error: unknown) => {
      log.warn({ err: error }, "hints of other processes can't be heard; they are found by turns");
      subscriber.disconnect(true);
    });
  });
  subscriber.on("message", (_channel: string, text: string) => {
    const [sender, told] = text.split(" ");
    const hint = INVALIDATIONS.find((known) => known === told);
    if (sender !== me && hint !== undefined) listeners.call(hint);
  });

  const publish = async (hint: Invalidation): Promise<void> => {
    try {
      await redis.publish(CHANNEL, `${me} ${hint}`);
    } catch (error) {
      log.debug({ err: error, hint }, "a hint was lost");
    }
  };
  return {
    on: listeners.on,
    tell: (hint) => void publish(hint),
    close: async () => {
      // What is already on its way still arrives.
      listeners.clear();
      subscriber.disconnect();
    },
  };
}
