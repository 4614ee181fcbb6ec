import { expect, it, vi } from "vitest";
import { keepFresh } from "./cached-answer.ts";

/** Answers that are made when the test says so. */
function setUp(options: { retryMs?: number } = {}) {
  const state = { at: 0 };
  const made: PromiseWithResolvers<string>[] = [];
  const log = { warn: vi.fn() };
  const kept = keepFresh(
    () => {
      const next = Promise.withResolvers<string>();
      made.push(next);
      return next.promise;
    },
    { freshMs: 30, log, now: () => state.at, ...options },
  );
  return { state, made, log, get: kept.get };
}

it("is made once for all who ask at one time, and for all who ask while it is fresh", async () => {
  const { state, made, get } = setUp();
  const asked = [get(), get(), get()];
  made[0]?.resolve("one");
  expect(await Promise.all(asked)).toEqual(["one", "one", "one"]);
  state.at = 29;
  expect(await get()).toBe("one");
  expect(made).toHaveLength(1);
});

it("is returned while one newer answer is made, and not much longer", async () => {
  const { state, made, get } = setUp();
  const first = get();
  made[0]?.resolve("one");
  await first;
  state.at = 30;
  expect(await Promise.all([get(), get()])).toEqual(["one", "one"]);
  expect(made).toHaveLength(2);
  made[1]?.resolve("two");
  await vi.waitFor(async () => expect(await get()).toBe("two"));
  state.at = 330;
  const late = get();
  made[2]?.resolve("three");
  expect(await late).toBe("three");
});

it("stays while it can't be renewed, which is logged, and each later call tries again", async () => {
  const { state, made, log, get } = setUp();
  const first = get();
  made[0]?.reject(new Error("the database is away"));
  await expect(first).rejects.toThrow("away");
  const second = get();
  made[1]?.resolve("one");
  await second;
  state.at = 30;
  expect(await get()).toBe("one");
  made[2]?.reject(new Error("the database is away"));
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1));
  expect(await get()).toBe("one");
  expect(made).toHaveLength(4);
});

it("that fails is not tried again for a while: the failure is returned, or the answer of before", async () => {
  const { state, made, log, get } = setUp({ retryMs: 10 });
  const first = get();
  made[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  state.at = 9;
  await expect(get()).rejects.toThrow("away");
  expect(made).toHaveLength(1);
  state.at = 10;
  const second = get();
  made[1]?.resolve("one");
  expect(await second).toBe("one");
  state.at = 45;
  expect(await get()).toBe("one");
  made[2]?.reject(new Error("away"));
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1));
  state.at = 54;
  expect(await get()).toBe("one");
  expect([made.length, log.warn.mock.calls.length]).toEqual([3, 1]);
  state.at = 55;
  expect(await get()).toBe("one");
  made[3]?.reject(new Error("away"));
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(2));
  state.at = 310;
  const last = get();
  made[4]?.reject(new Error("away for long"));
  await expect(last).rejects.toThrow("away for long");
  await expect(get()).rejects.toThrow("away for long");
  expect(made).toHaveLength(5);
});
