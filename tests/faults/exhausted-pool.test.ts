import { expect, it, onTestFinished } from "vitest";
import { calls } from "#contract/calls.ts";
import type { Order } from "#contract/order.ts";
import { freshDatabase } from "../support/database/database.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { testApp } from "../support/http/http-app.ts";
import { createTestEngine, orderBody } from "../support/scenarios/test-engine.ts";

const CONNECTIONS = 5;
const CALLERS = 500;
/** A call waits for a connection for five seconds. */
const ANSWERED_WITHIN_MS = 8_000;
const HEALTH_WITHIN_MS = 1_000;

it("500 callers of a pool that is exhausted get 503 with Retry-After in time, and are served once it is free", async () => {
  const database = await freshDatabase({ max: CONNECTIONS });
  onTestFinished(() => database.drop());
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  await using app = await testApp(database, { orderService: engine.orderService });
  const create = (key: string) =>
    app.inject({
      method: "POST",
      url: calls.createOrder.path,
      headers: { "idempotency-key": key },
      payload: orderBody(),
    });
  const { orderId, destinationAddress } = (await create("before")).json<Order>();
  const info = async (client: number) => {
    const began = performance.now();
    const { statusCode, headers } = await app.inject({
      url: calls.orderInfo.path,
      query: { orderId, destinationAddress },
      remoteAddress: `10.0.${client >> 8}.${client & 255}`,
    });
    return { statusCode, retryAfter: headers["retry-after"], ms: performance.now() - began };
  };
  expect(await info(0)).toMatchObject({ statusCode: 200 });

  const taken = await Promise.all(Array.from({ length: CONNECTIONS }, () => database.pool.connect()));
  const refused = Promise.all(Array.from({ length: CALLERS }, (_, client) => info(client)));
  const creation = create("during");
  const began = performance.now();
  expect((await app.inject(calls.health.path)).statusCode).toBe(200);
  expect(performance.now() - began).toBeLessThan(HEALTH_WITHIN_MS);
  const answers = await refused;
  expect(new Set(answers.map(({ statusCode, retryAfter }) => `${statusCode} ${retryAfter}`))).toEqual(
    new Set(["503 5"]),
  );
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(ANSWERED_WITHIN_MS);
  expect((await creation).statusCode).toBe(503);
  for (const one of taken) one.release();

  const served = await Promise.all(Array.from({ length: 50 }, (_, client) => info(client)));
  expect(new Set(served.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect((await create("during")).statusCode).toBe(200);
  expect(await database.kysely.selectFrom("orders").select("id").execute()).toHaveLength(2);
});
