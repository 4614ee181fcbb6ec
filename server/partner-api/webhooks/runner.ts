import { startLoop, repeat } from "../../base/concurrency/loop.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import type { Sender } from "./sender.ts";
import {
  leaseDeliveries,
  pruneDeliveries,
  recordDelivered,
  recordFailed,
  storeBody,
  untilNextDelivery,
  type Leased,
} from "./store.ts";

/** In progress at a time, of all receivers: hanging ones hold four each, then one, and the others go on. */
const MAX_IN_PROGRESS = 512;
const IDLE_MS = 5_000;
const PRUNE_EVERY_MS = 3_600_000;

export type RunnerParts = {
  database: Database;
  send: Sender;
  /** What a webhook's secret was sealed from. */
  openSecret(webhookId: string, sealed: Buffer): Promise<string>;
  /** `data` of an order's webhook as it is now; null where the order is no longer there. */
  dataOf(userId: bigint, orderId: string): Promise<object | null>;
  log: Log;
};

export type WebhookRunner = {
  wake(): void;
  /** Ends the attempts in progress, which other workers repeat. */
  stop(): Promise<void>;
};

/** Sends due webhooks until it is stopped. No receiver waits for another one, and no order for its webhooks. */
export function startWebhooks(parts: RunnerParts): WebhookRunner {
  const deliver = createDeliverer(parts);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const busy = new Map<string, number>();
  const loop = startLoop(
    "webhooks",
    IDLE_MS,
    async () => {
      // A lease writes: none where nothing is due.
      if (running.size === 0) {
        const ms = await untilNextDelivery(parts.database);
        if (ms === null || ms > 0) return ms ?? false;
      }
      const leased = await leaseDeliveries(parts.database, busy, MAX_IN_PROGRESS - running.size);
      for (const one of leased) {
        busy.set(one.webhook_id, (busy.get(one.webhook_id) ?? 0) + 1);
        const work = deliver(one, stopping.signal).finally(() => {
          running.delete(work);
          const left = (busy.get(one.webhook_id) ?? 1) - 1;
          if (left > 0) busy.set(one.webhook_id, left);
          else busy.delete(one.webhook_id);
          loop.wake();
        });
        running.add(work);
      }
      return running.size > 0 ? false : 0;
    },
    parts.log,
  );
  const pruning = repeat("old webhooks", PRUNE_EVERY_MS, () => pruneDeliveries(parts.database), parts.log);
  return {
    wake: loop.wake,
    stop: async () => {
      stopping.abort();
      await Promise.all([loop.stop(), pruning.stop()]);
      await Promise.all(running);
    },
  };
}

/**
 * One attempt at a leased delivery.
 *
 * @internal Exported for its tests.
 */
export function createDeliverer({ database, send, openSecret, dataOf, log }: RunnerParts) {
  const attempt = async (one: Leased, signal: AbortSignal): Promise<void> => {
    const body = one.body ?? (await write(one));
    const secret = await openSecret(one.webhook_id, one.secret);
    const result = await send({ url: one.url, secret }, { id: one.id, body, at: new Date() }, signal);
    const about = { webhookId: one.webhook_id, delivery: one.id, orderId: one.order_id, attempt: one.attempts };
    if (result.status !== null && result.error === null) {
      await recordDelivered(database, one, result.status);
      log.debug(about, "webhook delivered");
      return;
    }
    // Its lease ends, and another process tries again.
    if (signal.aborted) return;
    await recordFailed(database, one, result);
    if (one.is_over) log.warn({ ...about, result }, "a webhook is abandoned");
    else log.debug({ ...about, result }, "a webhook was not delivered; retrying");
  };

  /** The same bytes for every attempt: they are stored before they are sent. */
  const write = async (one: Leased): Promise<string> => {
    const data = one.order_id === null ? {} : ((await dataOf(one.user_id, one.order_id)) ?? {});
    const { id, type, created_at } = one;
    const body = JSON.stringify({ id, type, createdAt: created_at.toISOString(), data });
    await storeBody(database, one, body);
    return body;
  };

  return (one: Leased, signal: AbortSignal): Promise<void> =>
    attempt(one, signal).catch((error: unknown) =>
      log.error({ err: error, delivery: one.id }, "a webhook's result was not stored; it is retried after its lease"),
    );
}
