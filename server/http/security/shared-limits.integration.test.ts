import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { RedisServer } from "../../../tests/support/processes/redis-server.ts";
import { openShared } from "../../bus/index.ts";

const LIMITS = { reads: 4, writes: 2, signIns: 2 };

let database: TestDatabase;
let redis: RedisServer;
beforeAll(async () => {
  [database, redis] = await Promise.all([freshDatabase(), RedisServer.start()]);
});
afterAll(() => Promise.all([database.drop(), redis[Symbol.asyncDispose]()]));

/** One web process' HTTP side, connected. */
async function open(): Promise<TestApp> {
  const shared = openShared({ redisUrl: redis.url, databaseUrl: database.url }, database.log);
  const app = await testApp(database, { redis: shared.redis, config: { rateLimits: LIMITS } });
  onTestFinished(async () => {
    await app.close();
    await shared.close();
  });
  await eventually("Redis is connected", () => shared.redis?.status === "ready" || null);
  return app;
}

const status = async (app: TestApp, remoteAddress: string, method: "GET" | "POST" = "GET"): Promise<number> =>
  (
    await app.inject({
      method,
      url: method === "GET" ? calls.healthz.path : calls.setEmail.path,
      remoteAddress,
      payload: {},
    })
  ).statusCode;

async function alternately(
  apps: TestApp[],
  times: number,
  address: string,
  method?: "GET" | "POST",
): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const app = apps[n % apps.length];
    if (app !== undefined) found.push(await status(app, address, method));
  }
  return found;
}

describe("limits of two processes on one Redis", () => {
  it("are one limit, for each address, and apart for reads and changes", async () => {
    const webs = [await open(), await open()];
    expect(await alternately(webs, 6, "10.0.1.1")).toEqual([200, 200, 200, 200, 429, 429]);
    expect(await alternately(webs, 4, "10.0.1.1", "POST")).toEqual([400, 400, 429, 429]);
    expect(await alternately(webs, 1, "10.0.1.2")).toEqual([200]);
  });

  it("are counted by each process while Redis is down, and together again afterwards", async () => {
    const webs = [await open(), await open()];
    await redis.kill9();
    const [first] = webs;
    if (first === undefined) throw new Error("no process");
    expect(await alternately([first], 6, "10.0.2.1")).toEqual([200, 200, 200, 200, 429, 429]);
    await redis.start();
    let n = 0;
    await eventually("both count together", async () => {
      n += 1;
      const seen = await alternately(webs, 6, `10.0.3.${n}`);
      return (seen[4] === 429 && seen[5] === 429) || null;
    });
  });

  it("make no request wait for a Redis that hangs, but the first", async () => {
    const app = await open();
    redis.freeze(true);
    try {
      await status(app, "10.0.4.1");
      const begun = performance.now();
      expect(await alternately([app], 5, "10.0.4.1")).toEqual([200, 200, 200, 429, 429]);
      // Five that wait for it take half a second each.
      expect(performance.now() - begun).toBeLessThan(2_000);
    } finally {
      redis.freeze(false);
    }
  });
});
