import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { calls } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import type { CoinOrder } from "#contract/order.ts";
import { CommitUnknownError } from "../db/transaction.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { anOrder, closedOrderService, orderBody, testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { createIdempotency, type Idempotency, type OnceRequest } from "./idempotency.ts";
import type { CallSeed } from "../base/routes.ts";
import { watchCreations } from "./monitoring/creation-watch.ts";
import { createIdempotencyKeys } from "./idempotency-keys.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty("idempotency_keys");
});

/** Another process on the same database. */
const newProcess = (waitMs = 10_000, renewEveryMs = 2_000): Idempotency =>
  createIdempotency(createIdempotencyKeys(database), database.log, { waitMs, renewEveryMs });

/** One client's call under one key, but for what `changes` says. */
const callOnce = <Answer>(
  run: OnceRequest<Answer>["run"],
  changes: Partial<OnceRequest<Answer>> = {},
  process = newProcess(),
): Promise<Answer> =>
  process.once({
    route: "/api/move",
    scope: "one client",
    key: "k",
    body: {},
    run,
    reply: { code: () => undefined },
    ...changes,
  });

/** A call that moves value: it counts its effects and ends when the test says so. */
function movingCall() {
  const gate = Promise.withResolvers<void>();
  const call = {
    effects: 0,
    started: Promise.withResolvers<void>(),
    finish: () => gate.resolve(),
    run: async () => {
      call.effects += 1;
      call.started.resolve();
      await gate.promise;
      return { n: call.effects };
    },
  };
  return call;
}

const failureOf = async (work: Promise<unknown>): Promise<CodedError> => {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof CodedError)) throw new Error("no coded failure", { cause: failure });
  return failure;
};

/** Makes it look as if the claims had been made that long ago. */
const age = (interval: string) =>
  database.pool.query("update idempotency_keys set created_at = created_at - $1::interval", [interval]);

describe("a call with a key", () => {
  it("has its effect once for 20 callers in two processes", async () => {
    const call = movingCall();
    call.finish();
    const [one, two] = [newProcess(), newProcess()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => callOnce(call.run, { body: { a: 1 } }, n % 2 === 0 ? one : two)),
    );
    expect(call.effects).toBe(1);
    expect(answers).toEqual(answers.map(() => ({ n: 1 })));
  });

  it("waits for the first to end and gets its answer", async () => {
    const call = movingCall();
    const first = callOnce(call.run);
    await call.started.promise;
    const second = callOnce(call.run);
    call.finish();
    expect(await first).toEqual({ n: 1 });
    expect(await second).toEqual({ n: 1 });
  });

  it("gets 409 when the first takes too long", async () => {
    const call = movingCall();
    const first = callOnce(call.run);
    await call.started.promise;
    const late = await failureOf(callOnce(call.run, {}, newProcess(50)));
    expect(late).toMatchObject({ code: "ERR_BAD_REQUEST", httpStatus: 409, retryAfterSeconds: expect.any(Number) });
    call.finish();
    await first;
    expect(call.effects).toBe(1);
  });

  it("is refused where its body differs from the first call's, during and after that call", async () => {
    const call = movingCall();
    const first = callOnce(call.run, { body: { a: 1 } });
    await call.started.promise;
    const other = () => failureOf(callOnce(call.run, { body: { a: 2 } }));
    expect(await other()).toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY" });
    call.finish();
    await first;
    expect(await other()).toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY" });
  });

  it("is the same whatever the order of its fields and whether a null is written", async () => {
    const call = movingCall();
    call.finish();
    const once = (body: unknown) => callOnce(call.run, { body });
    await once({ a: { x: "1", y: null }, b: [1, 2] });
    await once({ b: [1, 2], a: { x: "1" }, c: undefined });
    expect(call.effects).toBe(1);
    expect((await failureOf(once({ a: { x: "1" }, b: [2, 1] }))).code).toBe("ERR_UNPROCESSABLE_ENTITY");
  });

  it("counts as a new call where another client sends the same key", async () => {
    const call = movingCall();
    call.finish();
    const once = (scope: string, body: unknown) => callOnce(call.run, { scope, body });
    expect(await once("one", { a: 1 })).toEqual({ n: 1 });
    expect(await once("another", { a: 2 })).toEqual({ n: 2 });
    expect(await once("another", { a: 2 })).toEqual({ n: 2 });
    expect(call.effects).toBe(2);
  });

  it("counts as a new call where the same key is sent to another route", async () => {
    const call = movingCall();
    call.finish();
    await callOnce(call.run, { route: "/a", body: { a: 1 } });
    await callOnce(call.run, { route: "/b", body: { a: 2 } });
    expect(call.effects).toBe(2);
  });
});

describe("after a failure", () => {
  it("a refused call frees its key, also for another body", async () => {
    const refuse = () => Promise.reject(new CodedError("ERR_UNPROCESSABLE_ENTITY", "The rate has changed"));
    await failureOf(callOnce(refuse, { body: { a: 1 } }));
    const call = movingCall();
    call.finish();
    await callOnce(call.run, { body: { a: 2 } });
    expect(call.effects).toBe(1);
  });

  it("a call whose commit got no reply is run again under its seed, once its lease has ended", async () => {
    const seeds: (CallSeed | undefined)[] = [];
    const lost = (seed?: CallSeed) => {
      seeds.push(seed);
      return Promise.reject(new CommitUnknownError("the reply to COMMIT was lost"));
    };
    const failure = await failureOf(callOnce(lost));
    expect(failure).toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE", httpStatus: 503, retryAfterSeconds: 5 });

    const found = (seed?: CallSeed) => (seeds.push(seed), Promise.resolve({ n: 1 }));
    // While the database may still be at it, nobody runs it again, nor another body in its place.
    await failureOf(callOnce(found, {}, newProcess(0)));
    await failureOf(callOnce(found, { body: { a: 2 } }));
    expect(seeds).toHaveLength(1);
    await age("7 seconds");
    expect(await callOnce(found)).toEqual({ n: 1 });
    expect(seeds).toEqual([
      { seed: seeds[0]?.seed, isFirst: true },
      { seed: seeds[0]?.seed, isFirst: false },
    ]);
  });
});

describe("after a crash", () => {
  const crashed = async (): Promise<void> => {
    const call = movingCall();
    void callOnce(call.run, { body: { a: 1 } }, newProcess(10_000, 60_000));
    await call.started.promise;
  };

  it("an equal call takes over from the first one while it waits", async () => {
    await crashed();
    await age("7 seconds");
    const call = movingCall();
    call.finish();
    expect(await callOnce(call.run, { body: { a: 1 } })).toEqual({ n: 1 });
  });

  it("the call that takes over has the first one's seed and knows that it isn't the first; a free key has a new seed", async () => {
    const seeds: (CallSeed | undefined)[] = [];
    const run = (seed?: CallSeed) => {
      seeds.push(seed);
      return seeds.length === 1 ? new Promise<never>(() => undefined) : Promise.resolve(seeds.length);
    };
    const once = (key: string) => callOnce(run, { key }, newProcess(10_000, 60_000));
    void once("k");
    await vi.waitFor(() => expect(seeds).toHaveLength(1), 10_000);
    await age("7 seconds");
    await once("k");
    await age("25 hours");
    await once("k");
    await once("other");
    const [first, second, later, other] = seeds;
    expect([first, second]).toEqual([
      { seed: first?.seed, isFirst: true },
      { seed: first?.seed, isFirst: false },
    ]);
    expect([later?.isFirst, other?.isFirst]).toEqual([true, true]);
    expect(new Set([first?.seed, later?.seed, other?.seed]).size).toBe(3);
  });

  it("a call whose lease a power cut took has the first one's seed in every process; one with another key, body or route has not", async () => {
    const seedOf = async (changes: Partial<OnceRequest<string>> = {}): Promise<string> => {
      await database.empty("idempotency_keys");
      return callOnce(async (seed) => seed?.seed ?? "", changes);
    };
    const first = await seedOf();
    expect(await seedOf()).toBe(first);
    const others = [{ key: "other" }, { body: { a: 1 } }, { route: "/other" }, { scope: "another client" }];
    const seeds = [first];
    for (const changes of others) seeds.push(await seedOf(changes));
    expect(new Set(seeds).size).toBe(5);
  });

  it("only one of many equal calls takes over", async () => {
    await crashed();
    await age("7 seconds");
    const call = movingCall();
    call.finish();
    await Promise.all(Array.from({ length: 10 }, () => callOnce(call.run, { body: { a: 1 } })));
    expect(call.effects).toBe(1);
  });

  it("a call with a different body is still refused", async () => {
    await crashed();
    await age("7 seconds");
    const call = movingCall();
    const other = await failureOf(callOnce(call.run, { body: { a: 2 } }));
    expect(other.code).toBe("ERR_UNPROCESSABLE_ENTITY");
  });

  it("a call that only seemed to have crashed changes nothing that its successor has stored", async () => {
    const slow = movingCall();
    const first = callOnce(slow.run, {}, newProcess(10_000, 60_000));
    await slow.started.promise;
    await age("7 seconds");
    const call = movingCall();
    call.finish();
    call.effects = 41;
    await callOnce(call.run);
    slow.finish();
    await first;
    expect(await callOnce(call.run)).toEqual({ n: 42 });
    expect(call.effects).toBe(42);
  });

  it("a call that only seemed to have crashed does not free the key that its successor runs under", async () => {
    const slow = movingCall();
    const refused = new CodedError("ERR_PAIR_NOT_ACTIVE", "Switched off");
    const run = async () => {
      await slow.run();
      throw refused;
    };
    const first = callOnce(run, {}, newProcess(10_000, 60_000));
    await slow.started.promise;
    await age("7 seconds");
    const call = movingCall();
    const successor = callOnce(call.run);
    await call.started.promise;
    slow.finish();
    expect(await failureOf(first)).toBe(refused);
    const third = await failureOf(callOnce(call.run, {}, newProcess(50)));
    expect(third.httpStatus).toBe(409);
    call.finish();
    expect(await successor).toEqual({ n: 1 });
  });

  it("a call that runs long is not taken for one that crashed", async () => {
    const call = movingCall();
    const first = callOnce(call.run, {}, newProcess(10_000, 10));
    await call.started.promise;
    await age("7 seconds");
    const createdAt = async () =>
      (await database.pool.query("select created_at > now() - interval '5 s' as fresh from idempotency_keys")).rows[0];
    await vi.waitFor(async () => expect(await createdAt()).toEqual({ fresh: true }), 10_000);
    const late = await failureOf(callOnce(call.run, {}, newProcess(50)));
    expect(late.httpStatus).toBe(409);
    call.finish();
    await first;
  });
});

describe("keys", () => {
  it("are stored for 24 hours", async () => {
    const call = movingCall();
    call.finish();
    const once = () => callOnce(call.run);
    await once();
    await age("23 hours 59 minutes");
    await createIdempotencyKeys(database).prune();
    await once();
    expect(call.effects).toBe(1);
    await age("2 minutes");
    await once();
    expect(call.effects).toBe(2);
    await age("25 hours");
    await createIdempotencyKeys(database).prune();
    expect((await database.pool.query("select 1 from idempotency_keys")).rowCount).toBe(0);
  });
});

describe("over HTTP", () => {
  const answered = { orderId: "A".repeat(22), isEmailConfirmed: false };

  async function open(): Promise<{ app: TestApp; effects: () => number }> {
    let effects = 0;
    const app = await testApp(database, {
      orderService: closedOrderService({
        create: async () => {
          effects += 1;
          throw new CodedError("ERR_NO_LIQUIDITY_AVAILABLE", "Nothing left");
        },
        setEmail: async () => {
          effects += 1;
          return answered;
        },
      }),
    });
    onTestFinished(() => app.close());
    return { app, effects: () => effects };
  }
  const create = (app: TestApp, key: string | undefined, body: unknown = orderBody()) =>
    app.inject({
      method: "POST",
      url: calls.createOrder.path,
      headers: { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) },
      payload: JSON.stringify(body),
    });

  const send = async (app: TestApp, remoteAddress: string, body: object): Promise<CoinOrder> => {
    const answer = await app.inject({
      method: "POST",
      url: calls.createOrder.path,
      remoteAddress,
      headers: { "idempotency-key": "1" },
      payload: body,
    });
    expect(answer.statusCode).toBe(200);
    return answer.json<CoinOrder>();
  };

  it("an order is created once by many callers, and not again after a restart", async () => {
    const orders: CoinOrder[] = [];
    const orderService = closedOrderService({
      create: async (body) => {
        const made = anOrder({
          orderId: `${orders.length}`.padStart(22, "A"),
          claimedDepositAmount: body.claimedDepositAmount,
        });
        orders.push(made);
        return made;
      },
    });
    const start = async () => {
      const app = await testApp(database, { orderService });
      onTestFinished(() => app.close());
      return app;
    };
    const first = await start();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(first, "order-1")));
    await first.close();
    answers.push(await create(await start(), "order-1"));
    expect(orders).toHaveLength(1);
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 200));
    expect(answers.map((answer) => answer.json<unknown>())).toEqual(answers.map(() => orders[0]));
    const other = await create(await start(), "order-1", orderBody({ claimedDepositAmount: "2" }));
    expect([other.statusCode, other.json<unknown>()]).toMatchObject([422, { status: "ERR_UNPROCESSABLE_ENTITY" }]);
  });

  it.each([
    ["browser", { browserFingerprint: "one" }, "10.0.0.1", { browserFingerprint: "two" }, "10.0.0.1"],
    ["address", {}, "10.0.0.1", {}, "10.0.0.2"],
    ["address, where a browser says nothing", { browserFingerprint: "" }, "10.0.0.1", {}, "10.0.0.2"],
  ])("equal keys and bodies of two clients make two orders (%s)", async (_by, one, oneAddress, two, twoAddress) => {
    let made = 0;
    const orderService = closedOrderService({
      create: async () => anOrder({ orderId: `${(made += 1)}`.padStart(22, "A") }),
    });
    const app = await testApp(database, { orderService });
    onTestFinished(() => app.close());
    const from = (remoteAddress: string, changes: object) => send(app, remoteAddress, orderBody(changes));
    const first = await from(oneAddress, one);
    expect((await from(twoAddress, two)).orderId).not.toBe(first.orderId);
    expect((await from(oneAddress, one)).orderId).toBe(first.orderId);
    expect(made).toBe(2);
  });

  it("a browser that changes its network keeps its key", async () => {
    let made = 0;
    const orderService = closedOrderService({
      create: async () => anOrder({ orderId: `${(made += 1)}`.padStart(22, "A") }),
    });
    const app = await testApp(database, { orderService });
    onTestFinished(() => app.close());
    const body = orderBody({ browserFingerprint: "one" });
    expect(await send(app, "10.0.0.1", body)).toEqual(await send(app, "10.0.0.2", body));
    expect(made).toBe(1);
  });

  it("a refund is requested once from two networks, and equal keys of two orders are two", async () => {
    const refunded: string[] = [];
    const orderService = closedOrderService({
      requestRefund: async ({ orderId }) => {
        refunded.push(orderId);
        return anOrder({ orderId });
      },
    });
    const app = await testApp(database, { orderService });
    onTestFinished(() => app.close());
    const refund = async (remoteAddress: string, orderId: string) =>
      app.inject({
        method: "POST",
        url: calls.requestRefund.path,
        remoteAddress,
        headers: { "idempotency-key": "k" },
        payload: {
          orderId,
          destinationAddress: "0xd",
          refundAddress: "0xr",
          refundAmount: "1",
          claimedNetworkFee: "0",
        },
      });
    const [one, two] = ["A".repeat(22), "B".repeat(22)];
    const answers = [await refund("10.0.0.1", one), await refund("10.0.0.2", one), await refund("10.0.0.1", two)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(refunded).toEqual([one, two]);
  });

  it.each(["", "k".repeat(256)])("a key of the wrong length is refused (%#)", async (key) => {
    const { app, effects } = await open();
    const answer = await create(app, key);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ status: "ERR_VALIDATION", data: { "Idempotency-Key": expect.any(String) } });
    expect(effects()).toBe(0);
  });

  it("an invalid call is never stored under a key", async () => {
    const { app } = await open();
    expect((await create(app, "k", { ...orderBody(), rateMode: "SOON" })).statusCode).toBe(400);
    expect((await database.pool.query("select 1 from idempotency_keys")).rowCount).toBe(0);
  });

  it("calls that move no value ignore a key", async () => {
    const { app, effects } = await open();
    for (const userEmail of ["a@example.com", "b@example.com"]) {
      const answer = await app.inject({
        method: "POST",
        url: calls.setEmail.path,
        headers: { "idempotency-key": "k" },
        payload: { orderId: "x", userEmail },
      });
      expect(answer.json()).toEqual(answered);
    }
    expect(effects()).toBe(2);
  });

  it("without a key each call is a new one", async () => {
    const { app, effects } = await open();
    await create(app, undefined);
    await create(app, undefined);
    expect(effects()).toBe(2);
    expect((await create(app, "k".repeat(255))).json()).toMatchObject({ status: "ERR_NO_LIQUIDITY_AVAILABLE" });
  });
});

it("a disk that takes no key of a creation is noticed", async () => {
  const own = await freshDatabase();
  onTestFinished(() => own.drop());
  await own.pool.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger refuse before insert on idempotency_keys for each row execute function refuse()`);
  let now = 0;
  const creations = watchCreations(() => now);
  await using app = await testApp(own, { creations });
  const create = () =>
    app.inject({
      method: "POST",
      url: calls.createOrder.path,
      headers: { "idempotency-key": "k" },
      payload: orderBody(),
    });
  expect((await create()).statusCode).toBe(503);
  now += 5_000;
  expect((await create()).statusCode).toBe(503);
  expect(creations.isFailingFor(5_000)).toBe(true);
});
