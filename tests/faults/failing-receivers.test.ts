import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { randomInt, randomUUID } from "node:crypto";
import { createLog } from "../../server/base/logging/log.ts";
import { createDeliverer, startWebhooks, type RunnerParts } from "../../server/partner-api/webhooks/runner.ts";
import { createWebhookSender } from "../../server/partner-api/webhooks/sender.ts";
import { leaseDeliveries } from "../../server/partner-api/webhooks/store.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually } from "../support/eventually.ts";
import { WebhookReceiver, type Behaviour } from "../support/partner-api/webhook-receiver.ts";

/** `npm run soak`: a large partner's busy week; else what a few seconds allow. */
const DELIVERIES = process.env["SOAK"] === "on" ? 100_000 : 600;
const EVENTS_OF_AN_ORDER = 5;
const FAULTS: readonly Behaviour[] = [500, 503, "garbage", "cut", "redirect", "upgrade", "flood"];

let database: TestDatabase;
let userId: bigint;
const receivers = new AsyncDisposableStack();
afterAll(() => receivers.disposeAsync());
beforeEach(async () => {
  database = await freshDatabase();
  const { rows } = await database.pool.query<{ id: bigint }>(
    "insert into users (created_at, locale) values (now(), 'en') returning id",
  );
  userId = rows[0]?.id ?? 0n;
});
afterEach(() => database.drop());

const parts = (timeoutMs = 300): RunnerParts => ({
  database,
  send: createWebhookSender({ isSandbox: true, timeoutMs }),
  openSecret: async () => "whs_test",
  dataOf: async (_userId, orderId) => ({ orderId }),
  log: createLog({ level: "silent" }),
});

async function receiver(behave: WebhookReceiver["behave"] = () => 200): Promise<{ id: string; at: WebhookReceiver }> {
  const at = receivers.use(await new WebhookReceiver().listen());
  at.behave = behave;
  const id = randomUUID();
  await database.kysely
    .insertInto("webhooks")
    .values({ id, user_id: userId, url: at.url, secret: Buffer.alloc(1), created_at: new Date() })
    .execute();
  return { id, at };
}

/** Queued as transactions of orders queue them; returns their ids by order, in order. */
async function queue(webhookId: string, count: number): Promise<Map<string, string[]>> {
  const { rows } = await database.pool.query<{ id: string; order_id: string }>(
    `insert into webhook_deliveries (webhook_id, order_id, type, next_attempt_at)
     select $1, 'order ' || g / $3, 'order.updated', now() from generate_series(0, $2 - 1) g order by g
     returning id::text as id, order_id`,
    [webhookId, count, EVENTS_OF_AN_ORDER],
  );
  const found = new Map<string, string[]>();
  for (const { id, order_id } of rows) found.set(order_id, [...(found.get(order_id) ?? []), id]);
  return found;
}

const pending = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: bigint }>(
    "select count(*) from webhook_deliveries where state = 'pending'",
  );
  return Number(rows[0]?.count ?? 0n);
};

test(
  "of receivers that fail at random each gets every delivery, in the order of each of its orders",
  { timeout: 3_600_000 },
  async () => {
    const random = (): Behaviour => (randomInt(10) === 0 ? (FAULTS[randomInt(FAULTS.length)] ?? 500) : 200);
    const all = await Promise.all([receiver(random), receiver(random), receiver(random), receiver(random)]);
    const queued = await Promise.all(all.map(({ id }) => queue(id, DELIVERIES / all.length)));
    const started = performance.now();
    const webhooks = startWebhooks(parts());
    // Pauses of seconds and hours pass at once.
    while ((await pending()) > 0) {
      await database.pool.query(
        `update webhook_deliveries set next_attempt_at = now() where n in (
           select n from webhook_deliveries where state = 'pending' and next_attempt_at > now()
             and (last_attempt_at is null or last_attempt_at < now() - interval '1 second') for update skip locked
         )`,
      );
      webhooks.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await webhooks.stop();
    let attempts = 0;
    for (const [n, { at }] of all.entries()) {
      attempts += at.seen.length;
      const firsts = new Map<string, string[]>();
      const seen = new Set<string>();
      for (const { id, orderId } of at.taken) {
        if (seen.has(id)) continue;
        seen.add(id);
        firsts.set(orderId ?? "", [...(firsts.get(orderId ?? "") ?? []), id]);
      }
      expect(Object.fromEntries(firsts)).toEqual(Object.fromEntries(queued[n] ?? []));
    }
    const seconds = (performance.now() - started) / 1_000;
    console.log(
      `${DELIVERIES} deliveries by ${attempts} attempts in ${seconds.toFixed(1)} s, none lost, each order in order`,
    );
    expect(attempts).toBeGreaterThan(DELIVERIES);
  },
);

test("a receiver that hangs delays nobody else", { timeout: 60_000 }, async () => {
  const hanging = await receiver(() => "hang");
  const other = await receiver();
  await queue(hanging.id, 500);
  const webhooks = startWebhooks(parts(5_000));
  await eventually("the first ones hang", async () => (hanging.at.seen.length >= 4 ? true : null));
  const count = 200;
  await queue(other.id, count);
  const started = performance.now();
  webhooks.wake();
  await eventually("the other has all", async () => (other.at.taken.length === count ? true : null));
  const ms = performance.now() - started;
  console.log(`${count} deliveries beside a receiver that hangs: ${Math.round(ms)} ms`);
  expect(hanging.at.seen).toHaveLength(4);
  expect(ms).toBeLessThan(5_000);
  await webhooks.stop();
});

test("a process that dies between sending and marking repeats the same bytes, and nothing of the order overtakes them", async () => {
  const { id, at } = await receiver();
  const [ids] = [...(await queue(id, 2)).values()];
  const dying = createDeliverer({
    ...parts(),
    send: async (...given) => {
      await parts().send(...given);
      throw new Error("the process died here");
    },
  });
  const due = await leaseDeliveries(database, new Map(), 10);
  const [leased] = due;
  if (leased === undefined) throw new Error("nothing was due");
  expect(due).toHaveLength(1);
  await dying(leased, new AbortController().signal);
  expect(at.taken.map((one) => one.id)).toEqual([ids?.[0]]);
  // While its lease lasts nobody else sends it, or what follows it.
  expect(await leaseDeliveries(database, new Map(), 10)).toEqual([]);
  await database.pool.query("update webhook_deliveries set next_attempt_at = now()");
  const webhooks = startWebhooks(parts());
  await eventually("all are delivered", async () => ((await pending()) === 0 ? true : null));
  await webhooks.stop();
  expect(at.taken.map((one) => one.id)).toEqual([ids?.[0], ids?.[0], ids?.[1]]);
  expect(at.taken[1]?.text).toBe(at.taken[0]?.text);
});
