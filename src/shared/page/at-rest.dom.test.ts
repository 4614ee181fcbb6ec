import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** A page that has just opened. */
async function open() {
  vi.resetModules();
  const { atRest } = await import("./at-rest.ts");
  const rested = vi.fn();
  void atRest().then(rested);
  return { atRest, rested };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a page that nobody touches is at rest after a second, once the browser is idle", async () => {
  let idle = () => undefined as void;
  vi.stubGlobal("requestIdleCallback", (done: () => void) => void (idle = done));
  const { rested } = await open();
  await vi.advanceTimersByTimeAsync(999);
  expect(rested).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rested).not.toHaveBeenCalled();
  idle();
  await vi.advanceTimersByTimeAsync(0);
  expect(rested).toHaveBeenCalledTimes(1);
});

it("a browser without requestIdleCallback is treated as idle", async () => {
  vi.stubGlobal("requestIdleCallback", undefined);
  const { rested } = await open();
  await vi.advanceTimersByTimeAsync(1_001);
  expect(rested).toHaveBeenCalledTimes(1);
});

it("a touch ends the wait at once, for who asks later too", async () => {
  const { atRest, rested } = await open();
  dispatchEvent(new Event("pointerdown"));
  await vi.advanceTimersByTimeAsync(0);
  expect(rested).toHaveBeenCalledTimes(1);
  const later = vi.fn();
  void atRest().then(later);
  await vi.advanceTimersByTimeAsync(0);
  expect(later).toHaveBeenCalledTimes(1);
});

it("all who wait go on in tasks of their own", async () => {
  vi.useRealTimers();
  const { atRest } = await open();
  const log: string[] = [];
  const first = atRest().then(async () => {
    log.push("first begins");
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    log.push("first ends");
  });
  const second = atRest().then(() => log.push("second"));
  dispatchEvent(new Event("pointerdown"));
  await Promise.all([first, second]);
  expect(log).toEqual(["first begins", "first ends", "second"]);
});
