import { describe, expect, it, onTestFinished, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { calls } from "#contract/calls.ts";
import { openDatabase, type Database } from "../../db/database.ts";
import { createLog } from "../../base/logging/log.ts";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { snapshotAt, testApp } from "../../../tests/support/http/http-app.ts";
import { createHealth, type Health } from "./health.ts";

const log = createLog({ level: "silent" });
const timing = { everyMs: 5, slowMs: 30, silenceMs: 120 };

function healthSetup() {
  const state = {
    hangs: false,
    fails: false,
    up: new Set(["ETH", "BTC"]),
    hasSnapshot: true,
    refundOnly: false,
    isFailing: false,
    workerUp: true,
    pings: 0,
  };
  const pool = {
    query: async () => {
      state.pings += 1;
      if (state.hangs) await new Promise(() => undefined);
      if (state.fails) throw new Error("the database is away");
      return { rows: [] };
    },
  };
  const rates = {
    snapshot: () => {
      if (!state.hasSnapshot) throw new CodedError("ERR_SERVICE_UNAVAILABLE", "no price");
      return snapshotAt(new Date());
    },
  };
  const health = createHealth({
    database: { pool } as unknown as Parameters<typeof createHealth>[0]["database"],
    rates,
    networks: { isUp: (title) => state.up.has(title) },
    networkTitles: ["ETH", "BTC"],
    isRefundOnly: () => state.refundOnly,
    creations: { isFailingFor: () => state.isFailing },
    isWorkerUp: () => state.workerUp,
    log,
    timing,
  });
  onTestFinished(() => health.stop());
  return { state, health };
}

/** Health that has begun, over a real database; all else is well. */
async function healthOf(database: Database): Promise<Health> {
  const health = createHealth({
    database,
    rates: { snapshot: () => snapshotAt(new Date()) },
    networks: { isUp: () => true },
    networkTitles: ["ETH"],
    log,
    timing: { everyMs: 20, slowMs: 100, silenceMs: 500 },
  });
  onTestFinished(() => health.stop());
  await health.start();
  return health;
}

const shows = (health: Health, status: string) =>
  vi.waitFor(() => expect(health.status()).toBe(status), { timeout: 10_000 });

describe("health", () => {
  it("is UNHEALTHY before the first check and OK after it", async () => {
    const { health } = healthSetup();
    expect(health.status()).toBe("UNHEALTHY");
    await health.start();
    expect(health.status()).toBe("OK");
  });

  it("stays OK while one network is dead, and is TECHNICAL_DIFFICULTIES when all are", async () => {
    const { health, state } = healthSetup();
    await health.start();
    state.up.delete("ETH");
    expect(health.status()).toBe("OK");
    state.up.delete("BTC");
    expect(health.status()).toBe("TECHNICAL_DIFFICULTIES");
  });

  it.each([
    ["TECHNICAL_DIFFICULTIES", "its worker is dead", { workerUp: false }, { workerUp: true }],
    ["TECHNICAL_DIFFICULTIES", "only refunds and payouts are served", { refundOnly: true }, { refundOnly: false }],
    ["TECHNICAL_DIFFICULTIES", "nothing can be quoted", { hasSnapshot: false }, { hasSnapshot: true }],
    ["UNHEALTHY", "no order gets through, although the database answers", { isFailing: true }, { isFailing: false }],
  ])("is %s while %s", async (status, _, fault, end) => {
    const { health, state } = healthSetup();
    await health.start();
    Object.assign(state, fault);
    expect(health.status()).toBe(status);
    Object.assign(state, end);
    expect(health.status()).toBe("OK");
  });

  it.each(["hangs", "fails"] as const)(
    "is UNHEALTHY when the database %s, but not at the first failure",
    async (fault) => {
      const { health, state } = healthSetup();
      await health.start();
      state[fault] = true;
      expect(health.status()).toBe("OK");
      await shows(health, "UNHEALTHY");
    },
  );

  it("does not take its own process's work for the database's silence", async () => {
    const { health } = healthSetup();
    await health.start();
    for (const at = performance.now(); performance.now() - at < 4 * timing.silenceMs;);
    expect(health.status()).toBe("OK");
    // Nor in the turn of the loop that comes after it.
    await new Promise((resolve) => setImmediate(resolve));
    expect(health.status()).toBe("OK");
  });

  it("does not query a hanging database a second time", async () => {
    const { health, state } = healthSetup();
    state.hangs = true;
    await health.start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(state.pings).toBe(1);
  });

  it("is OK again when the database is back", async () => {
    const { health, state } = healthSetup();
    await health.start();
    state.fails = true;
    await shows(health, "UNHEALTHY");
    state.fails = false;
    await shows(health, "OK");
  });

  it("is UNHEALTHY while somebody keeps the tables of orders locked", async () => {
    const database = await freshDatabase();
    // Ends last: a pool that is still queried would connect again.
    onTestFinished(() => database.drop());
    const health = await healthOf(database);
    await shows(health, "OK");
    const client = await database.pool.connect();
    await client.query("begin; lock table orders in share mode");
    await shows(health, "UNHEALTHY");
    await client.query("rollback");
    client.release();
    await shows(health, "OK");
  });
});

describe("the health calls", () => {
  it("answer in less than 50 ms, always with 200, while every connection to the database hangs", async () => {
    const real = await freshDatabase();
    // Ends last: a pool that is still queried would connect again.
    onTestFinished(() => real.drop());
    const database = openDatabase(real.url, { max: 2, log, applicationName: "health" });
    onTestFinished(() => database.close());
    const health = await healthOf(database);
    await using app = await testApp(database, { health });
    await vi.waitFor(
      async () => expect((await app.inject(calls.health.path)).json()).toEqual({ status: "OK" }),
      10_000,
    );

    const sleepers = [1, 2].map(() => database.pool.query("select pg_sleep(3)"));
    await vi.waitFor(() => expect(health.status()).toBe("UNHEALTHY"), 10_000);
    for (const { path } of [calls.health, calls.healthz]) {
      // The fastest of some: other tests may hold the CPU for a moment, a hanging database would delay every one.
      const times: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const before = performance.now();
        expect((await app.inject(path)).statusCode).toBe(200);
        times.push(performance.now() - before);
      }
      expect(Math.min(...times)).toBeLessThan(50);
    }
    expect((await app.inject(calls.health.path)).json()).toEqual({ status: "UNHEALTHY" });
    expect((await app.inject(calls.healthz.path)).json()).toEqual({ status: "OK" });
    await Promise.all(sleepers);
    await vi.waitFor(() => expect(health.status()).toBe("OK"), 10_000);
  });
});
